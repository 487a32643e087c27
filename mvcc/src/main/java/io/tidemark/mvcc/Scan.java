package io.tidemark.mvcc;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** A scan of one family, with the native objects that belong to it. One thread. */
final class Scan implements AutoCloseable {
  private final RocksIterator iterator;
  private final ReadOptions options;
  private final @Nullable Slice bound;

  Scan(RocksIterator iterator, ReadOptions options, @Nullable Slice bound) {
    this.iterator = iterator;
    this.options = options;
    this.bound = bound;
  }

  /** Whether the scan stands on a row; an engine error is never taken for the end. */
  boolean valid() {
    if (iterator.isValid()) {
      return true;
    }
    try {
      iterator.status();
    } catch (RocksDBException e) {
      throw new StoreFault("storage engine: scan failed: " + e.getMessage(), e);
    }
    return false;
  }

  byte[] key() {
    return iterator.key();
  }

  byte[] value() {
    return iterator.value();
  }

  void next() {
    iterator.next();
  }

  void seek(byte[] key) {
    iterator.seek(key);
  }

  void previous() {
    iterator.prev();
  }

  /** Moves to the last row at or before {@code key}. */
  void seekForPrev(byte[] key) {
    iterator.seekForPrev(key);
  }

  @Override
  public void close() {
    iterator.close();
    options.close();
    if (bound != null) {
      bound.close();
    }
  }
}
