package io.tidemark.mvcc;

import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.ReadOptions;
import org.rocksdb.Snapshot;

/**
 * A RocksDB snapshot with the state that was written with it, shared by all views and cursors of
 * that state and released with the last of them. Any thread.
 */
final class SharedSnapshot {
  private final Engine engine;
  private final Snapshot snapshot;
  private final ReadOptions options;
  private final StoreReader reader;
  private final AtomicInteger users = new AtomicInteger(1);

  private SharedSnapshot(Engine engine) {
    this.engine = engine;
    this.snapshot = engine.takeSnapshot();
    this.options = new ReadOptions().setSnapshot(snapshot);
    byte[] row = engine.get(Family.META, StoreState.key(), options);
    StoreState state = row == null ? StoreState.INITIAL : StoreState.decode(row);
    this.reader = new StoreReader(engine, snapshot, options, state);
  }

  /** Takes a snapshot; the caller is its first user and the engine must be open. */
  static SharedSnapshot take(Engine engine) {
    if (!engine.retain()) {
      throw new IllegalStateException("the store is closed");
    }
    return new SharedSnapshot(engine);
  }

  StoreReader reader() {
    return reader;
  }

  /** Joins the users; false when the last one has left. */
  boolean retain() {
    int seen = users.get();
    while (seen > 0) {
      if (users.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = users.get();
    }
    return false;
  }

  void release() {
    if (users.decrementAndGet() == 0) {
      options.close();
      engine.releaseSnapshot(snapshot);
      snapshot.close();
      engine.release();
    }
  }
}
