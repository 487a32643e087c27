package io.tidemark.mvcc;

import java.nio.file.Path;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Reads the position out of a checkpoint without leaving a trace in its directory. */
final class CheckpointPosition {
  private CheckpointPosition() {}

  static AppliedPosition read(Path directory) {
    RocksDB.loadLibrary();
    // With a logger of ours, the engine doesn't create a log file in the directory.
    try (Logger silence = new Silence();
        Options options = new Options()) {
      options.setLogger(silence);
      try (RocksDB db = RocksDB.openReadOnly(options, directory.toString())) {
        byte[] row = db.get(StoreState.key());
        return row == null ? AppliedPosition.INITIAL : StoreState.decode(row).applied();
      }
    } catch (RocksDBException e) {
      throw new StoreFault("can't read the checkpoint in " + directory + ": " + e.getMessage(), e);
    }
  }

  private static final class Silence extends Logger {
    Silence() {
      super(InfoLogLevel.HEADER_LEVEL);
    }

    @Override
    protected void log(InfoLogLevel level, String message) {}
  }
}
