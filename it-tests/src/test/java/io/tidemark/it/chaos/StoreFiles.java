package io.tidemark.it.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** Reaches into the files of a member that is down, behind the back of everything of ours. */
final class StoreFiles {
  /** Where the newest records are; their values stand last. */
  private static final String NEWEST = "cur";

  private StoreFiles() {}

  /** Changes one bit of a key's value, as a disk or a bug might, under a right checksum. */
  static void flipBit(Path dataDirectory, String key) throws IOException, RocksDBException {
    Path home = dataDirectory.resolve("member").resolve("kv");
    String store = home.resolve(Files.readString(home.resolve("CURRENT")).trim()).toString();
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    try (Options options = new Options()) {
      for (byte[] name : RocksDB.listColumnFamilies(options, store)) {
        families.add(new ColumnFamilyDescriptor(name));
      }
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (DBOptions options = new DBOptions();
        RocksDB db = RocksDB.open(options, store, families, handles);
        WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
        FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      ColumnFamilyHandle newest = handles.get(index(families));
      byte[] name = key.getBytes(StandardCharsets.UTF_8);
      byte[] row = db.get(newest, name);
      row[row.length - 1] ^= 1;
      db.put(newest, unlogged, name, row);
      db.flush(flush, newest);
      handles.forEach(ColumnFamilyHandle::close);
    }
  }

  private static int index(List<ColumnFamilyDescriptor> families) {
    for (int i = 0; i < families.size(); i++) {
      if (new String(families.get(i).getName(), StandardCharsets.US_ASCII).equals(NEWEST)) {
        return i;
      }
    }
    throw new AssertionError("no family " + NEWEST);
  }
}
