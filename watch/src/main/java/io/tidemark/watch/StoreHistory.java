package io.tidemark.watch;

import io.tidemark.mvcc.HistoryCursor;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionBatch;
import org.jspecify.annotations.Nullable;

/** The past as the member's store has it. */
final class StoreHistory implements History {
  private final HistorySource source;

  StoreHistory(HistorySource source) {
    this.source = source;
  }

  @Override
  public long revision() {
    return source.revision();
  }

  @Override
  public long compactRevision() {
    return source.compactRevision();
  }

  @Override
  public Snapshot open() {
    return new ViewSnapshot(source.view());
  }

  private record ViewSnapshot(ReadView view) implements Snapshot {
    @Override
    public long revision() {
      return view.revision();
    }

    @Override
    public long compactRevision() {
      return view.compactRevision();
    }

    @Override
    public Batches from(long revision, boolean withPrevious) {
      return new CursorBatches(view.history(revision, withPrevious));
    }

    @Override
    public void close() {
      view.close();
    }
  }

  private record CursorBatches(HistoryCursor cursor) implements Batches {
    @Override
    public @Nullable RevisionBatch next() {
      return cursor.next() ? cursor.batch() : null;
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
