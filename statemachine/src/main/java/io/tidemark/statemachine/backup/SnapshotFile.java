package io.tidemark.statemachine.backup;

import com.google.protobuf.ByteString;
import io.tidemark.statemachine.backup.bbolt.BboltFile;
import io.tidemark.statemachine.backup.bbolt.DamagedFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * A snapshot file of etcd or of ours, or the data file of an etcd member that isn't running. One
 * thread; blocks on the disk.
 */
public final class SnapshotFile implements AutoCloseable {
  // A file's pages are a multiple of this, so the rest of the division tells whether there's a
  // tail.
  private static final int SECTOR = 512;
  private static final int READ_BYTES = 256 * 1024;

  private final BboltFile file;

  private SnapshotFile(BboltFile file) {
    this.file = file;
  }

  /** What is made of the digest at the end. */
  public enum Digest {
    /** It must be there and right. */
    REQUIRED,
    /** It must be right if it is there. */
    IF_PRESENT,
    /** It isn't looked at. */
    IGNORED
  }

  /**
   * What a file holds.
   *
   * @param hash CRC-32C of all names of buckets, keys and values, unsigned
   * @param revision of the last entry; 0 for none
   * @param totalKeys entries of all buckets
   * @param totalSize size of all pages
   */
  public record Status(long hash, long revision, long totalKeys, long totalSize) {}

  /**
   * Opens a file.
   *
   * @throws DamagedFileException if it is cut short, altered or something else; the message is for
   *     the user
   */
  public static SnapshotFile open(Path path, Digest digest) throws IOException {
    long size = Files.size(path);
    boolean tail = size % SECTOR == Digests.BYTES;
    if (!tail && digest == Digest.REQUIRED) {
      throw new DamagedFileException("snapshot missing hash but --skip-hash-check=false");
    }
    long body = tail ? size - Digests.BYTES : size;
    if (tail && digest != Digest.IGNORED) {
      verify(path, body);
    }
    return new SnapshotFile(BboltFile.open(path, body));
  }

  private static void verify(Path path, long body) throws IOException {
    MessageDigest digest = Digests.sha256();
    byte[] buffer = new byte[READ_BYTES];
    try (InputStream in = Files.newInputStream(path)) {
      long left = body;
      while (left > 0) {
        int read = in.readNBytes(buffer, 0, (int) Math.min(buffer.length, left));
        if (read == 0) {
          throw new DamagedFileException("the file is cut short");
        }
        digest.update(buffer, 0, read);
        left -= read;
      }
      byte[] expected = in.readNBytes(Digests.BYTES);
      byte[] actual = digest.digest();
      if (!Arrays.equals(expected, actual)) {
        HexFormat hex = HexFormat.of();
        throw new DamagedFileException(
            "expected sha256 " + hex.formatHex(expected) + ", got " + hex.formatHex(actual));
      }
    }
  }

  /** Reads all of it. */
  public Status status() throws IOException {
    Count count = new Count();
    file.buckets(
        (name, bucket) -> {
          count.add(name);
          boolean keys = name.toStringUtf8().equals(KeyBucket.NAME);
          file.entriesOf(
              bucket,
              (key, value) -> {
                count.add(key);
                count.add(value);
                count.entries++;
                if (keys) {
                  count.revision = KeyBucket.main(key);
                }
              });
        });
    return new Status(count.crc.getValue(), count.revision, count.entries, file.contentBytes());
  }

  BboltFile pages() {
    return file;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private static final class Count {
    final CRC32C crc = new CRC32C();
    long revision;
    long entries;

    void add(ByteString bytes) {
      crc.update(bytes.asReadOnlyByteBuffer());
    }
  }
}
