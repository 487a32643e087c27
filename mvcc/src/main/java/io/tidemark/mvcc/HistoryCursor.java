package io.tidemark.mvcc;

/** Whole revisions, ascending. */
public final class HistoryCursor implements AutoCloseable {
  private HistoryCursor() {}

  public boolean next() {
    throw new UnsupportedOperationException();
  }

  public RevisionBatch batch() {
    throw new UnsupportedOperationException();
  }

  public long position() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
