package io.tidemark.mvcc;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.MutableDBOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * One open RocksDB with its families: the only class that opens, writes, flushes and closes it.
 *
 * <p>It counts its users and closes the native side when the last one lets go, so that a view which
 * outlives the store never touches freed memory. Any thread.
 */
final class Engine {
  private final EngineOptions options;
  private final CountShape shape;
  private final RocksDB db;
  private final Map<Family, ColumnFamilyHandle> handles;
  private final List<ColumnFamilyHandle> handleList;
  private final WriteOptions writeOptions;
  private final ReadOptions readOptions;
  private final FlushOptions flushOptions;
  private final AtomicInteger users = new AtomicInteger(1);
  private final CompletableFuture<Void> released = new CompletableFuture<>();

  private Engine(
      EngineOptions options,
      CountShape shape,
      RocksDB db,
      Map<Family, ColumnFamilyHandle> handles) {
    this.options = options;
    this.shape = shape;
    this.db = db;
    this.handles = handles;
    this.handleList = List.copyOf(handles.values());
    this.writeOptions = new WriteOptions().setDisableWAL(true);
    this.readOptions = new ReadOptions();
    this.flushOptions = new FlushOptions().setWaitForFlush(true);
  }

  static Engine open(Path directory, MvccLimits limits, CountShape shape) {
    EngineOptions options = EngineOptions.create(limits);
    try {
      Files.createDirectories(directory);
      List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
      for (Family family : Family.values()) {
        descriptors.add(new ColumnFamilyDescriptor(family.nameBytes(), options.of(family)));
      }
      List<ColumnFamilyHandle> opened = new ArrayList<>();
      RocksDB db = RocksDB.open(options.db(), directory.toString(), descriptors, opened);
      Map<Family, ColumnFamilyHandle> handles = new EnumMap<>(Family.class);
      for (Family family : Family.values()) {
        handles.put(family, opened.get(handles.size()));
      }
      return new Engine(options, shape, db, handles);
    } catch (RocksDBException | java.io.IOException e) {
      options.close();
      throw new StoreFault("can't open the store in " + directory + ": " + e.getMessage(), e);
    }
  }

  /** Takes part in keeping this open; false when it is closed already. */
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

  /** Lets go; the last one closes the native side. */
  void release() {
    if (users.decrementAndGet() != 0) {
      return;
    }
    flushOptions.close();
    readOptions.close();
    writeOptions.close();
    handleList.forEach(ColumnFamilyHandle::close);
    db.close();
    options.close();
    released.complete(null);
  }

  /** Nobody is served any more who would feel what the background does to the disk. */
  void hurry() {
    options.unpace();
  }

  /** Ends what the background does. Writes may fail from now on. Nothing to do once closed. */
  void endBackgroundWork() {
    if (retain()) {
      options.unpace();
      db.cancelAllBackgroundWork(false);
      release();
    }
  }

  CompletableFuture<Void> released() {
    return released;
  }

  /** Sizes in the family of the counts. */
  CountShape shape() {
    return shape;
  }

  int familyId(Family family) {
    return handle(family).getID();
  }

  byte @Nullable [] get(Family family, byte[] key) {
    return get(family, key, readOptions);
  }

  byte @Nullable [] get(Family family, byte[] key, ReadOptions at) {
    try {
      return db.get(handle(family), at, key);
    } catch (RocksDBException e) {
      throw failed("get", e);
    }
  }

  /** One answer per key in order, null for an absent one. */
  List<byte @Nullable []> multiGet(Family family, List<byte[]> keys) {
    return multiGet(family, keys, readOptions);
  }

  List<byte @Nullable []> multiGet(Family family, List<byte[]> keys, ReadOptions at) {
    try {
      if (keys.size() == 1) {
        return Collections.singletonList(db.get(handle(family), at, keys.get(0))); // cheaper
      }
      return db.multiGetAsList(at, Collections.nCopies(keys.size(), handle(family)), keys);
    } catch (RocksDBException e) {
      throw failed("multi-get", e);
    }
  }

  /** A scan of {@code [from, end)}; {@code snapshot} null reads what is there now. */
  Scan scan(
      Family family,
      @Nullable Snapshot snapshot,
      byte[] from,
      byte @Nullable [] end,
      boolean fillCache) {
    ReadOptions at = new ReadOptions().setFillCache(fillCache);
    if (snapshot != null) {
      at.setSnapshot(snapshot);
    }
    Slice bound = null;
    if (end != null) {
      bound = new Slice(end);
      at.setIterateUpperBound(bound);
    }
    Scan scan = new Scan(db.newIterator(handle(family), at), at, bound);
    scan.seek(from);
    return scan;
  }

  /** A scan of what is there now that stands on the last row at or before {@code key}. */
  Scan scanBack(Family family, byte[] key) {
    ReadOptions at = new ReadOptions();
    Scan scan = new Scan(db.newIterator(handle(family), at), at, null);
    scan.seekForPrev(key);
    return scan;
  }

  Snapshot takeSnapshot() {
    return Objects.requireNonNull(db.getSnapshot(), "snapshot");
  }

  void releaseSnapshot(Snapshot snapshot) {
    db.releaseSnapshot(snapshot);
  }

  void write(byte[] serializedBatch) {
    try (WriteBatch batch = new WriteBatch(serializedBatch)) {
      db.write(writeOptions, batch);
    } catch (RocksDBException e) {
      throw failed("write", e);
    }
  }

  /** Brings everything written so far to the files, all families at one point. Blocks. */
  void flush() {
    try {
      db.flush(flushOptions, handleList);
    } catch (RocksDBException e) {
      throw failed("flush", e);
    }
  }

  void checkpoint(Path target) {
    try (Checkpoint checkpoint = Checkpoint.create(db)) {
      checkpoint.createCheckpoint(target.toString());
    } catch (RocksDBException e) {
      throw failed("checkpoint", e);
    }
  }

  /** Rewrites a family's files without the removed rows. Blocks, and reads and writes go on. */
  void compactFiles(Family family, CompactRangeOptions how) {
    try {
      db.compactRange(handle(family), null, null, how);
    } catch (RocksDBException e) {
      if (how.canceled()) {
        return;
      }
      throw failed("compact files", e);
    }
  }

  /** From now on closing leaves unflushed rows behind, as a killed process would. */
  void forgetUnflushedOnClose() {
    try {
      db.setDBOptions(MutableDBOptions.builder().setAvoidFlushDuringShutdown(true).build());
    } catch (RocksDBException e) {
      throw failed("set options", e);
    }
  }

  private ColumnFamilyHandle handle(Family family) {
    return Objects.requireNonNull(handles.get(family));
  }

  private static StoreFault failed(String what, RocksDBException e) {
    return new StoreFault("storage engine: " + what + " failed: " + e.getMessage(), e);
  }
}
