package io.tidemark.raftcore.ratis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is cut off a log segment, and what isn't, byte by byte. Records have indexes 7, 8 and 9. */
class LogTailTest {
  private static final int FIRST = 7;
  private static final int LAST = 9;
  private static final int PADDING = 2_000;

  @TempDir Path directory;
  private Path segment;

  /** Header, two records of 300 bytes and one of 3,000, zeros. */
  private byte[] whole = {};

  private int lastFrom;
  private int lastTo;

  @BeforeEach
  void write() throws IOException {
    segment = directory.resolve("log_inprogress_7");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write("RaftLog1".getBytes(StandardCharsets.US_ASCII));
    out.write(record(300));
    out.write(record(300));
    lastFrom = out.size();
    out.write(record(3_000));
    lastTo = out.size();
    out.write(new byte[PADDING]);
    whole = out.toByteArray();
  }

  private static byte[] record(int length) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] number = new byte[CodedOutputStream.computeUInt32SizeNoTag(length)];
    CodedOutputStream.newInstance(number).writeUInt32NoTag(length);
    out.write(number);
    byte[] content = new byte[length];
    Arrays.fill(content, (byte) 'x');
    out.write(content);
    CRC32C checksum = new CRC32C();
    checksum.update(out.toByteArray());
    out.write(ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array());
    return out.toByteArray();
  }

  /** What is left of the bytes when the store has applied everything before the last record. */
  private byte[] left(byte[] bytes) throws IOException {
    return left(bytes, LAST - 1);
  }

  private byte[] left(byte[] bytes, long applied) throws IOException {
    Files.write(segment, bytes);
    LogTail.cut(segment, FIRST, applied);
    return Files.readAllBytes(segment);
  }

  private void stays(byte[] bytes) throws IOException {
    assertArrayEquals(bytes, left(bytes));
  }

  private void isCut(byte[] bytes) throws IOException {
    assertArrayEquals(Arrays.copyOf(whole, lastFrom), left(bytes));
  }

  private byte[] zeroed(int from, int to) {
    byte[] bytes = whole.clone();
    Arrays.fill(bytes, from, to, (byte) 0);
    return bytes;
  }

  private int sectorWithin(int number) {
    return (lastFrom / LogTail.SECTOR + number) * LogTail.SECTOR;
  }

  @Test
  void wholeLogStays() throws IOException {
    stays(whole);
    stays(Arrays.copyOf(whole, lastTo));
    stays(Arrays.copyOf(whole, 8));
    stays(new byte[PADDING]);
    stays(new byte[0]);
  }

  /** A client may have put the zeros there. */
  @Test
  void sectorOfZerosBeforeAChecksumProvesNothing() throws IOException {
    stays(zeroed(sectorWithin(1), sectorWithin(2)));
    stays(zeroed(sectorWithin(3), sectorWithin(4)));
  }

  @Test
  void endThatNeverCame() throws IOException {
    isCut(zeroed(sectorWithin(1), lastTo));
    isCut(zeroed(lastTo / LogTail.SECTOR * LogTail.SECTOR, lastTo));
  }

  @Test
  void oneBitIsNoIncompleteWrite() throws IOException {
    byte[] bytes = whole.clone();
    bytes[lastFrom + 1_000] ^= 1;
    stays(bytes);
  }

  @Test
  void lessThanAChecksumOfZerosProvesNothing() throws IOException {
    stays(zeroed(lastTo - 3, lastTo));
  }

  @Test
  void somethingBehindItProvesThatItWasWhole() throws IOException {
    byte[] bytes = zeroed(sectorWithin(1), lastTo);
    bytes[lastTo + 100] = 1;
    stays(bytes);
  }

  @Test
  void recordInTheMiddleStays() throws IOException {
    byte[] record = record(3_000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(zeroed(sectorWithin(1), lastTo), 0, lastTo);
    out.write(record);
    stays(out.toByteArray());
  }

  @Test
  void whatTheStoreHasWasWholeOnce() throws IOException {
    byte[] bytes = zeroed(sectorWithin(1), lastTo);
    assertArrayEquals(bytes, left(bytes, LAST));
    assertEquals(lastFrom, left(bytes, LAST - 1).length);
  }

  @Test
  void absurdLengthStays() throws IOException {
    byte[] bytes = whole.clone();
    Arrays.fill(bytes, lastFrom, lastFrom + 10, (byte) 0xff);
    stays(bytes);
  }
}
