package io.tidemark.watch;

import java.util.ArrayDeque;

/**
 * The event lane of one stream, cut into segments by progress messages for the whole stream: a
 * barrier is the end of a segment, and the last segment is open. There is always an open one.
 *
 * <p>Thread: guarded by the lock of the {@link Outbox}.
 */
final class Barriers {
  private final ArrayDeque<Segment> segments = new ArrayDeque<>(2);

  Barriers() {
    segments.add(new Segment());
  }

  /** Where to append. */
  Segment open() {
    return segments.getLast();
  }

  /** Where to take from; the open one when there is no barrier. */
  Segment first() {
    return segments.getFirst();
  }

  boolean isEmpty() {
    return segments.size() == 1;
  }

  /**
   * Puts a barrier behind everything; one that nothing follows moves up to the revision instead.
   */
  void add(long revision) {
    Segment open = segments.getLast();
    if (open.items == 0 && !isEmpty()) {
      segments.removeLast();
      segments.getLast().progressRevision = revision;
      segments.addLast(open);
      return;
    }
    open.closed = true;
    open.progressRevision = revision;
    segments.addLast(new Segment());
  }

  /** Removes the first barrier; its progress revision, or 0 when it has no message any more. */
  long pass() {
    return segments.removeFirst().progressRevision;
  }

  /**
   * Removes the barriers with nothing ahead of them and takes the messages of the others away.
   *
   * @return the newest revision of those removed, or 0
   */
  long settle() {
    long newest = 0;
    while (!isEmpty() && segments.getFirst().items == 0) {
      newest = Math.max(newest, pass());
    }
    for (Segment segment : segments) {
      segment.progressRevision = 0;
    }
    return newest;
  }

  void clear() {
    segments.clear();
    segments.add(new Segment());
  }
}
