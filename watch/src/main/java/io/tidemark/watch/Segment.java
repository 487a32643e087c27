package io.tidemark.watch;

import java.util.ArrayDeque;

/**
 * A stretch of a stream's event lane that ends in a progress message for the whole stream, or is
 * still open. Watchers take turns inside it; none passes its end.
 *
 * <p>Thread: guarded by the lock of the {@link Outbox}.
 */
final class Segment {
  /** What one watcher may send before the next one's turn. */
  static final long TURN_BYTES = 64 << 10;

  /** Queues with something in this segment; one that was purged is skipped when its turn comes. */
  final ArrayDeque<WatcherQueue> round = new ArrayDeque<>(4);

  int items;
  boolean closed;

  /** Revision of the progress message at the end; 0 when there is none (any more). */
  long progressRevision;

  /**
   * The queue whose turn it is has given a message.
   *
   * @param mayYield whether another queue may go on from here
   */
  void served(WatcherQueue queue, long bytes, boolean mayYield) {
    queue.servedBytes += bytes;
    if (queue.headIn(this) == null) {
      round.removeFirst();
      queue.servedBytes = 0;
    } else if (queue.servedBytes >= TURN_BYTES && mayYield) {
      round.addLast(round.removeFirst());
      queue.servedBytes = 0;
    }
  }
}
