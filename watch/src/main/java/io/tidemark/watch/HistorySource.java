package io.tidemark.watch;

import io.tidemark.mvcc.ReadView;

/**
 * The store whose past is watched: always the member's current one, also after a snapshot replaced
 * it.
 *
 * <p>Thread: any. {@link #revision()} and {@link #compactRevision()} are plain reads; {@link
 * #view()} may touch the disk. A view that was opened before a store swap stays readable until it
 * is closed, or its reads fail.
 */
public interface HistorySource {
  /** A consistent snapshot; the caller closes it. */
  ReadView view();

  /** The newest revision that a reader can see. */
  long revision();

  /** The revision of the last compaction; below the first revision when there was none. */
  long compactRevision();
}
