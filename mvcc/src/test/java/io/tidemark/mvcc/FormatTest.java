package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stored bytes themselves, as docs/format.md describes them. A change here is a change of the
 * format: it needs a new format number and a way to read the old one.
 */
class FormatTest {
  private static final String KEY_C_AT_3 = "63 0001 fffffffffffffffc";
  private static final String KEY_C_AT_3_ROW =
      "00000001 0000000000000003 0000000000000001 0000000000000000 0000000000000004";
  private static final String REV_3_0 =
      "02 0000000000000002 0000000000000002 0000000000000000 0000000000000002 00000035"
          + " 00000003 610062 74776f";
  private static final String REV_3_1 =
      "00 0000000000000003 0000000000000001 0000000000000000 0000000000000000 00000000"
          + " 00000001 63";
  private static final String REV_4_0 =
      "03 0000000000000000 0000000000000000 0000000000000000 0000000000000003 0000002f"
          + " 00000001 63";

  @TempDir Path directory;

  @Test
  void rowsOfEveryFamily() {
    try (MvccStore store = MvccStore.open(directory, MvccLimits.defaults())) {
      fill(store);
      expect(
          store,
          Family.CUR,
          row(
              "610062",
              "0000000000000003 00000000 0000000000000002 0000000000000002 0000000000000000"
                  + " 74776f"));
      expect(store, Family.LIVE, row("610062", "0000000000000003"));
      expect(
          store,
          Family.HIST,
          row(
              "6100ff62 0001 fffffffffffffffd",
              "00000000 0000000000000002 0000000000000001 0000000000001234 0000000000000003"
                  + " 6f6e65"),
          row(KEY_C_AT_3, KEY_C_AT_3_ROW));
      expect(
          store,
          Family.REV,
          row(
              "0000000000000002 00000000",
              "00 0000000000000002 0000000000000001 0000000000001234 0000000000000000 00000000"
                  + " 00000003 610062 6f6e65"),
          row("0000000000000003 00000000", REV_3_0),
          row("0000000000000003 00000001", REV_3_1),
          row("0000000000000004 00000000", REV_4_0));
      expect(store, Family.SYS, row("02 6964", "78"));
      expect(
          store,
          Family.COUNT,
          row("01", "0000000000000001"),
          row("02", "0000000000000001 00000001"),
          row("10 0000000000000002 610062", "0000000000000000 01"),
          row("10 0000000000000003 63", "0000000000000000 01"),
          row("10 0000000000000004 63", "0000000000000000 ff"));
      expect(
          store,
          Family.META,
          row(ascii("format"), "02"),
          row(
              ascii("state"),
              "0000000000000002 0000000000000008 0000000000000004 ffffffffffffffff"
                  + " 0000000000000175"));
    }
  }

  @Test
  void rowsAfterCompaction() throws Exception {
    try (MvccStore store = MvccStore.open(directory, MvccLimits.defaults())) {
      fill(store);
      try (EntryBatch batch = store.begin(3, 9)) {
        batch.compact(3);
        batch.finishCommand();
        batch.commit();
      }
      store.physicalCompaction(3).get(60, TimeUnit.SECONDS);
      expect(
          store,
          Family.COUNT,
          row("01", "0000000000000001"),
          row("02", "0000000000000001 00000001"),
          row("10 0000000000000004 63", "0000000000000000 ff"));
      expect(store, Family.HIST, row(KEY_C_AT_3, KEY_C_AT_3_ROW));
      expect(
          store,
          Family.REV,
          row("0000000000000003 00000000", REV_3_0),
          row("0000000000000003 00000001", REV_3_1),
          row("0000000000000004 00000000", REV_4_0));
      expect(
          store,
          Family.META,
          row(ascii("format"), "02"),
          row(
              ascii("state"),
              "0000000000000003 0000000000000009 0000000000000004 0000000000000003"
                  + " 0000000000000175"),
          row(
              ascii("sweep"),
              "0000000000000003 0000000000000003 0000000000000004 00000000 000000000000006d"
                  + " 0000000000000000 000000000000006e"));
    }
  }

  /** Two keys in one revision, others later, one of them removed again: all in one run. */
  @Test
  void rowsOfARun() throws Exception {
    try (MvccStore store = MvccStore.open(directory, MvccLimits.defaults())) {
      try (EntryBatch batch = store.begin(1, 1)) {
        batch.put(utf8("b"), utf8(""), 0);
        batch.put(utf8("a"), utf8(""), 0);
        batch.finishCommand();
        batch.put(utf8("ab"), utf8(""), 0);
        batch.finishCommand();
        batch.deleteRange(KeyRange.single(utf8("ab")));
        batch.finishCommand();
        for (int i = 0; i < 64; i++) {
          batch.put(utf8("b"), utf8("again"), 0);
          batch.finishCommand();
        }
        batch.commit();
      }
      store.runs().awaitBuilt(store.revision());
      expect(
          store,
          Family.COUNT,
          row("01", "0000000000000002"),
          row("02", "0000000000000002 00000001"),
          row("10 0000000000000002 61", "0000000000000000 01 00000001 62 01"),
          row("10 0000000000000003 6162", "0000000000000000 01"),
          row("10 0000000000000004 6162", "0000000000000000 ff"),
          row("11 0000000000000000 61", "0000000000000000 01 00000001 62 01"));
      String runs = "0000000000000040 0000000000000000 0000000000000000 0000000000000000";
      assertTrue(
          StoreContents.hexRows(store, Family.META)
              .contains(row(ascii("runs"), runs.replace(" ", ""))));
    }
  }

  private static void fill(MvccStore store) {
    try (EntryBatch batch = store.begin(2, 8)) {
      batch.put(utf8("a\0b"), utf8("one"), 0x1234);
      batch.finishCommand();
      batch.put(utf8("a\0b"), utf8("two"), 0);
      batch.put(utf8("c"), utf8(""), 0);
      batch.finishCommand();
      batch.deleteRange(KeyRange.single(utf8("c")));
      batch.tablePut(Table.LEASE, utf8("id"), utf8("x"));
      batch.finishCommand();
      batch.commit();
    }
  }

  private static void expect(MvccStore store, Family family, String... rows) {
    List<String> expected = Stream.of(rows).map(row -> row.replace(" ", "")).toList();
    assertEquals(expected, StoreContents.hexRows(store, family), family.name());
  }

  private static String row(String key, String value) {
    return key + "=" + value;
  }

  private static String ascii(String text) {
    return java.util.HexFormat.of().formatHex(utf8(text).toByteArray());
  }
}
