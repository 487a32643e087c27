package io.tidemark.mvcc;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Revisions over RocksDB. */
public final class MvccStore implements AutoCloseable {
  private MvccStore() {}

  public static MvccStore open(Path directory, MvccLimits limits) {
    return open(directory, limits, "store");
  }

  /** {@code member} names the threads: {@code tidemark-<member>-<role>}. */
  public static MvccStore open(Path directory, MvccLimits limits, String member) {
    throw new UnsupportedOperationException();
  }

  public AppliedPosition applied() {
    throw new UnsupportedOperationException();
  }

  public long revision() {
    throw new UnsupportedOperationException();
  }

  /** -1 when never compacted. */
  public long compactRevision() {
    throw new UnsupportedOperationException();
  }

  public ReadView view() {
    throw new UnsupportedOperationException();
  }

  public EntryBatch begin(long term, long index) {
    throw new UnsupportedOperationException();
  }

  public void advance(long term, long index) {
    throw new UnsupportedOperationException();
  }

  public void flush() {
    throw new UnsupportedOperationException();
  }

  public AppliedPosition checkpoint(Path target) {
    throw new UnsupportedOperationException();
  }

  public static AppliedPosition positionOf(Path checkpointDirectory) {
    throw new UnsupportedOperationException();
  }

  public long logicalBytes() {
    throw new UnsupportedOperationException();
  }

  public long logicalBytesInUse() {
    throw new UnsupportedOperationException();
  }

  /**
   * Completes when everything that compaction up to {@code revision} made superfluous is removed.
   */
  public CompletableFuture<Void> physicalCompaction(long revision) {
    throw new UnsupportedOperationException();
  }

  /** Completes when the files are released: at once after close, or when the last view closes. */
  public CompletableFuture<Void> released() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
