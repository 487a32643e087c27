package io.tidemark.watch;

import io.tidemark.mvcc.RevisionBatch;
import org.jspecify.annotations.Nullable;

/**
 * What the watch machinery needs to know of the past; the port behind which {@link HistorySource}
 * stands.
 *
 * <p>Thread: any; {@link #open()} and everything below it may block on the disk.
 */
interface History {
  /** The newest readable revision. */
  long revision();

  long compactRevision();

  Snapshot open();

  /** One consistent state. Used by one thread. */
  interface Snapshot extends AutoCloseable {
    long revision();

    long compactRevision();

    /** Whole revisions from {@code revision} on, which is not below the compact revision. */
    Batches from(long revision, boolean withPrevious);

    @Override
    void close();
  }

  /** Ascending whole revisions. */
  interface Batches extends AutoCloseable {
    /** The next revision with changes, or null after the snapshot's last. */
    @Nullable RevisionBatch next();

    @Override
    void close();
  }
}
