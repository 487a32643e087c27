package io.tidemark.watch;

import io.tidemark.mvcc.KeyRange;

/**
 * What a client asked to watch.
 *
 * @param range keys to watch; an empty key was already replaced by one zero byte
 * @param startRevision first revision wanted; 0 means from now on, negative is refused
 * @param watchId id wanted by the client, 0 lets the stream choose
 * @param progressNotify whether idle times are filled with progress notifications
 * @param noPut leaves out PUT events
 * @param noDelete leaves out DELETE events
 * @param prevKv adds the previous version to every event that has one
 * @param fragment allows a large revision to be split over several messages
 */
public record WatchSpec(
    KeyRange range,
    long startRevision,
    long watchId,
    boolean progressNotify,
    boolean noPut,
    boolean noDelete,
    boolean prevKv,
    boolean fragment) {

  /** Watches a range from a revision on, with everything else at its default. */
  public static WatchSpec of(KeyRange range, long startRevision) {
    return new WatchSpec(range, startRevision, 0, false, false, false, false, false);
  }
}
