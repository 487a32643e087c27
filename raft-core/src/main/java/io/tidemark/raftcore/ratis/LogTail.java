package io.tidemark.raftcore.ratis;

import io.tidemark.raftcore.snapshot.DurableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a power failure leaves of a record that was being written: its file has the length, but some
 * sectors never came to the disk and read as zeros. Nobody was told that such a record is there, so
 * it is cut off. Ratis would refuse the log for its checksum.
 *
 * <p>Only what can be nothing else is cut: the last record of the open segment, with nothing but
 * zeros from the beginning of some sector to its end, its checksum among them, with nothing behind
 * it, and newer than the store. A sector of zeros before a checksum that is there proves nothing:
 * the zeros may be a client's, and the record damaged after it was acknowledged. Anything else
 * stays as it is, for Ratis to refuse.
 */
final class LogTail {
  private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);

  /** The smallest unit that a disk writes whole; larger ones are multiples of it. */
  static final int SECTOR = 512;

  private static final int HEADER_BYTES = 8;
  private static final int CHECKSUM_BYTES = 4;

  private LogTail() {}

  /**
   * Cuts an incomplete record off the open segment. Before Ratis opens the log; blocks on the disk
   * for reading one segment.
   *
   * @param applied the store's position: up to it everything was complete once
   */
  static void cutIncomplete(RaftStorage storage, long applied) throws IOException {
    List<LogSegmentPath> segments = LogSegmentPath.getLogSegmentPaths(storage);
    for (LogSegmentPath segment : segments) {
      Path file = segment.getPath();
      if (LogRemains.isOpen(file)) {
        cut(file, LogRemains.firstIndex(file), applied);
      }
    }
  }

  /** As above, for one file. */
  static void cut(Path segment, long firstIndex, long applied) throws IOException {
    byte[] bytes = Files.readAllBytes(segment);
    Frame bad = firstBad(bytes, firstIndex);
    if (bad == null || bad.index() <= applied || !isIncomplete(bytes, bad)) {
      return;
    }
    LOG.warn(
        "{}: record {} at byte {} was never written whole (the power failed?): cutting it off",
        segment,
        bad.index(),
        bad.from());
    try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      file.truncate(bad.from());
    }
    DurableFile.syncContent(segment);
  }

  /** Where a record is, checksum included, and the index it should have. */
  private record Frame(long index, int from, int to) {}

  /**
   * The first record whose checksum is wrong; null if there is none, or if its end can't be told.
   */
  private static @Nullable Frame firstBad(byte[] bytes, long firstIndex) throws IOException {
    long index = firstIndex;
    int at = HEADER_BYTES;
    while (at < bytes.length && bytes[at] != 0) {
      int length;
      try {
        length = CodedInputStream.newInstance(bytes, at, bytes.length - at).readRawVarint32();
      } catch (IOException notANumber) {
        return null;
      }
      long content = CodedOutputStream.computeUInt32SizeNoTag(length) + (long) length;
      if (length < 0 || at + content + CHECKSUM_BYTES > bytes.length) {
        return null; // Ratis cuts what runs over the end of the file by itself
      }
      int end = at + (int) content;
      CRC32C checksum = new CRC32C();
      checksum.update(bytes, at, (int) content);
      int to = end + CHECKSUM_BYTES;
      if (ByteBuffer.wrap(bytes, end, CHECKSUM_BYTES).getInt() != (int) checksum.getValue()) {
        return new Frame(index, at, to);
      }
      at = to;
      index++;
    }
    return null;
  }

  private static boolean isIncomplete(byte[] bytes, Frame bad) {
    if (!isZero(bytes, bad.to(), bytes.length)) {
      return false; // something follows it, so it was whole once
    }
    int sector = (bad.from() / SECTOR + 1) * SECTOR; // its first one has its first bytes
    int last = (bad.to() - 1) / SECTOR * SECTOR;
    return last >= sector && bad.to() - last >= CHECKSUM_BYTES && isZero(bytes, last, bad.to());
  }

  private static boolean isZero(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
