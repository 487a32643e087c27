package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A store as format 1 had it, byte for byte, is read as if it had been written today. */
class FormatUpgradeTest {
  private static final List<String> FORMAT_1_FAMILIES =
      List.of("default", "cur", "hist", "rev", "live", "sys");
  private static final String STATE =
      "0000000000000002 0000000000000008 0000000000000004 ffffffffffffffff 0000000000000175";

  @TempDir Path directory;

  @Test
  void storeOfFormat1GetsItsCounts() throws Exception {
    writeFormat1("01");
    try (MvccStore store = MvccStore.open(directory, MvccLimits.defaults())) {
      expectUpgraded(store);
      try (ReadView view = store.view()) {
        assertEquals(List.of(0L, 1L, 2L, 1L), counts(view));
        assertEquals(1, view.count(KeyRange.from(utf8("b")), 3));
      }
      StoreSteps.put(store, 9, "b", "new");
      CountRows.check(store);
    }
    try (MvccStore store = MvccStore.open(directory, MvccLimits.defaults());
        ReadView view = store.view()) {
      assertEquals(List.of(0L, 1L, 2L, 1L, 2L), counts(view));
    }
  }

  @Test
  void interruptedUpgradeBeginsAnew() throws Exception {
    writeFormat1("01");
    Engine engine = Engine.open(directory, MvccLimits.defaults(), CountShape.DEFAULT);
    RawBatch half = new RawBatch(64);
    half.put(engine.familyId(Family.COUNT), new byte[] {1, 'x'}, new byte[8]);
    half.put(engine.familyId(Family.COUNT), CountLayout.runKey(4, 0), new byte[9]);
    engine.write(half.toBytes());
    engine.flush();
    engine.release();
    try (MvccStore store = MvccStore.open(directory, MvccLimits.defaults())) {
      expectUpgraded(store);
    }
  }

  @Test
  void manyKeysGetBucketsOfTheUsualSize() throws Exception {
    try (MvccStore store = MvccStore.open(directory, MvccLimits.defaults())) {
      try (EntryBatch batch = store.begin(1, 1)) {
        for (int i = 0; i < 40_000; i++) {
          batch.put(utf8("key " + i), utf8(""), 0);
        }
        batch.finishCommand();
        batch.commit();
      }
      RawBatch older = new RawBatch(64);
      older.put(store.engine().familyId(Family.META), utf8("format").toByteArray(), new byte[] {1});
      store.engine().write(older.toBytes());
    }
    try (MvccStore store = MvccStore.open(directory, MvccLimits.defaults());
        ReadView view = store.view()) {
      assertEquals(157, CountRows.check(store));
      assertEquals(40_000, view.count(KeyRange.ALL, 0));
      assertEquals(11_111, view.count(KeyRange.prefix(utf8("key 1")), 0));
      assertEquals(0, view.count(KeyRange.ALL, 1));
    }
  }

  @Test
  void otherFormatsAreRefused() throws Exception {
    for (String format : List.of("03", "00", "0201")) {
      Path at = directory.resolve(format);
      writeFormat1(at, format);
      StoreFault fault =
          assertThrows(StoreFault.class, () -> MvccStore.open(at, MvccLimits.defaults()));
      assertEquals(
          "the store in "
              + at
              + " has format "
              + format
              + ", and this version reads formats 01 and 02",
          fault.getMessage());
    }
  }

  private static void expectUpgraded(MvccStore store) {
    assertEquals(
        List.of(
            "01=0000000000000001",
            "02=000000000000000100000001",
            "100000000000000002610062=000000000000000001",
            "10000000000000000363=000000000000000001",
            "10000000000000000463=0000000000000000ff"),
        StoreContents.hexRows(store, Family.COUNT));
    assertTrue(StoreContents.hexRows(store, Family.META).contains("666f726d6174=02"));
  }

  private static List<Long> counts(ReadView view) {
    List<Long> counts = new ArrayList<>();
    for (long at = 1; at <= view.revision(); at++) {
      counts.add(view.count(KeyRange.ALL, at));
    }
    return counts;
  }

  private void writeFormat1(String format) throws RocksDBException {
    writeFormat1(directory, format);
  }

  /** What FormatTest wrote when there was format 1: two keys, one replaced, one deleted. */
  private static void writeFormat1(Path at, String format) throws RocksDBException {
    RocksDB.loadLibrary();
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    List<ColumnFamilyDescriptor> descriptors =
        FORMAT_1_FAMILIES.stream()
            .map(name -> new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.US_ASCII)))
            .toList();
    try (DBOptions options =
            new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
        RocksDB db = RocksDB.open(options, at.toString(), descriptors, handles)) {
      String[][] rows = {
        {"0", "666f726d6174", format},
        {"0", "7374617465", STATE},
        {
          "1",
          "610062",
          "0000000000000003 00000000 0000000000000002 0000000000000002 0000000000000000 74776f"
        },
        {
          "2",
          "6100ff62 0001 fffffffffffffffd",
          "00000000 0000000000000002 0000000000000001 0000000000001234 0000000000000003 6f6e65"
        },
        {
          "2",
          "63 0001 fffffffffffffffc",
          "00000001 0000000000000003 0000000000000001 0000000000000000 0000000000000004"
        },
        {
          "3",
          "0000000000000002 00000000",
          "00 0000000000000002 0000000000000001 0000000000001234 0000000000000000 00000000"
              + " 00000003 610062 6f6e65"
        },
        {
          "3",
          "0000000000000003 00000000",
          "02 0000000000000002 0000000000000002 0000000000000000 0000000000000002 00000035"
              + " 00000003 610062 74776f"
        },
        {
          "3",
          "0000000000000003 00000001",
          "00 0000000000000003 0000000000000001 0000000000000000 0000000000000000 00000000"
              + " 00000001 63"
        },
        {
          "3",
          "0000000000000004 00000000",
          "03 0000000000000000 0000000000000000 0000000000000000 0000000000000003 0000002f"
              + " 00000001 63"
        },
        {"4", "610062", "0000000000000003"},
        {"5", "02 6964", "78"},
      };
      for (String[] row : rows) {
        db.put(handles.get(Integer.parseInt(row[0])), hex(row[1]), hex(row[2]));
      }
      handles.forEach(ColumnFamilyHandle::close);
    }
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
