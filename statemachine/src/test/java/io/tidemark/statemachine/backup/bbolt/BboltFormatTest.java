package io.tidemark.statemachine.backup.bbolt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BboltFormatTest {
  @TempDir Path directory;

  @Test
  void checksumIsFnv1a() {
    byte[] text = "foobar".getBytes(StandardCharsets.US_ASCII);
    assertEquals(0x85944171f73967e8L, Format.checksum(text, 0, text.length));
  }

  @Test
  void goldenBytesOfAnInlineBucket() throws IOException {
    byte[] file = write(Map.of("b", Map.of("k", "v")));
    assertEquals(4 * 4096, file.length);
    String metaAfterTheNumber =
        "0400"
            + "0000"
            + "00000000" // flags, count, overflow
            + "edda0ced"
            + "02000000"
            + "00100000"
            + "00000000" // magic, version, page size, flags
            + "0300000000000000"
            + "0000000000000000" // root bucket
            + "0200000000000000" // free list
            + "0400000000000000"; // pages
    assertEquals("0000000000000000" + metaAfterTheNumber + "0000000000000000", hex(file, 0, 72));
    assertEquals("0100000000000000" + metaAfterTheNumber + "0100000000000000", hex(file, 4096, 72));
    assertEquals("0200000000000000" + "1000" + "0000" + "00000000", hex(file, 2 * 4096, 16));
    assertEquals(
        "0300000000000000"
            + "0200"
            + "0100"
            + "00000000" // the only page of the root
            + "01000000"
            + "10000000"
            + "01000000"
            + "32000000" // a bucket
            + "62" // its name
            + "0000000000000000"
            + "0000000000000000" // no page of its own
            + "0000000000000000"
            + "0200"
            + "0100"
            + "00000000"
            + "00000000"
            + "10000000"
            + "01000000"
            + "01000000"
            + "6b"
            + "76",
        hex(file, 3 * 4096, 16 + 16 + 1 + 50));
    assertEquals(HexFormat.of().formatHex(new byte[4096 - 83]), hex(file, 3 * 4096 + 83, 4013));
  }

  @Test
  void largeValuesRunOverSeveralPages() throws IOException {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put("a", "x");
    entries.put("b", "y".repeat(9_000));
    entries.put("c", "z");
    byte[] file = write(Map.of("n", entries));
    // Page 3 holds a, 4 to 6 hold b, 7 holds c, 8 is their parent, 9 the root.
    assertEquals(10 * 4096, file.length);
    assertEquals("0300000000000000" + "0200" + "0100" + "00000000", hex(file, 3 * 4096, 16));
    assertEquals("0400000000000000" + "0200" + "0100" + "02000000", hex(file, 4 * 4096, 16));
    assertEquals(
        "0800000000000000"
            + "0100"
            + "0300"
            + "00000000"
            + "30000000"
            + "01000000"
            + "0300000000000000"
            + "21000000"
            + "01000000"
            + "0400000000000000"
            + "12000000"
            + "01000000"
            + "0700000000000000"
            + "616263",
        hex(file, 8 * 4096, 16 + 3 * 16 + 3));
    assertEquals(entries, read(file, "n"));
  }

  @Test
  void aTreeOfSeveralLevels() throws IOException {
    Map<String, String> entries = new LinkedHashMap<>();
    for (int i = 0; i < 3_000; i++) {
      entries.put("%0200d".formatted(i), "v" + i);
    }
    byte[] file = write(Map.of("deep", entries, "also", Map.of("k", "v")));
    assertEquals(entries, read(file, "deep"));
    assertEquals(Map.of("k", "v"), read(file, "also"));
    assertEquals(Map.of(), read(file, "absent"));
    Path path = Files.write(directory.resolve("last"), file);
    try (BboltFile open = BboltFile.open(path, file.length)) {
      assertEquals(ByteString.copyFromUtf8("%0200d".formatted(2_999)), open.lastKey("deep"));
      assertNull(open.lastKey("absent"));
    }
  }

  @Test
  void contentThatChangedBetweenThePassesIsNoticed() throws IOException {
    int[] pass = {0};
    BboltWriter.Source source =
        out -> {
          out.beginBucket();
          out.put(ByteString.copyFromUtf8("k"), ByteString.copyFrom(new byte[5_000 * pass[0]++]));
          out.endBucket("b");
        };
    BboltWriter.Layout layout = BboltWriter.measure(source, (bytes, length) -> {});
    assertThrows(
        IllegalStateException.class,
        () -> BboltWriter.write(source, layout, (bytes, length) -> {}));
  }

  @Test
  void keysMustAscend() {
    BboltWriter.Source source =
        out -> {
          out.beginBucket();
          out.put(ByteString.copyFromUtf8("b"), ByteString.EMPTY);
          out.put(ByteString.copyFromUtf8("a"), ByteString.EMPTY);
        };
    assertThrows(
        IllegalArgumentException.class, () -> BboltWriter.measure(source, (bytes, length) -> {}));
  }

  private static byte[] write(Map<String, Map<String, String>> buckets) throws IOException {
    BboltWriter.Source source =
        out -> {
          for (Map.Entry<String, Map<String, String>> bucket : new TreeMap<>(buckets).entrySet()) {
            out.beginBucket();
            for (Map.Entry<String, String> entry : bucket.getValue().entrySet()) {
              out.put(
                  ByteString.copyFromUtf8(entry.getKey()),
                  ByteString.copyFromUtf8(entry.getValue()));
            }
            out.endBucket(bucket.getKey());
          }
        };
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    BboltWriter.Layout layout = BboltWriter.measure(source, (bytes, length) -> {});
    BboltWriter.write(source, layout, (bytes, length) -> file.write(bytes, 0, length));
    assertEquals(layout.bytes(), file.size());
    return file.toByteArray();
  }

  private Map<String, String> read(byte[] file, String bucket) throws IOException {
    Path path = Files.write(directory.resolve("file"), file);
    Map<String, String> found = new LinkedHashMap<>();
    try (BboltFile open = BboltFile.open(path, file.length)) {
      open.entries(bucket, (key, value) -> found.put(utf8(key), utf8(value)));
    }
    return found;
  }

  private static String utf8(ByteString bytes) {
    return bytes.toStringUtf8();
  }

  private static String hex(byte[] file, int from, int length) {
    return HexFormat.of().formatHex(file, from, from + length);
  }
}
