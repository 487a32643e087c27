package io.tidemark.watch;

import org.jspecify.annotations.Nullable;

/**
 * What one watcher has queued on its stream, oldest first.
 *
 * <p>Thread: guarded by the lock of the stream's {@link Outbox}, which alone touches it.
 */
final class WatcherQueue {
  /** One message, or one piece of a split list. */
  static final class Item {
    WatchMessage message;
    final long bytes;
    final int events;
    final Segment segment;
    @Nullable Item next;

    Item(WatchMessage message, long bytes, int events, Segment segment) {
      this.message = message;
      this.bytes = bytes;
      this.events = events;
      this.segment = segment;
    }
  }

  final long watchId;
  @Nullable Item head;
  @Nullable Item tail;
  long bytes;

  /** Bytes sent since the queue last got its turn. */
  long servedBytes;

  WatcherQueue(long watchId) {
    this.watchId = watchId;
  }

  /** Appends, and says whether this was the first item of its segment. */
  boolean add(Item item) {
    Item last = tail;
    tail = item;
    bytes += item.bytes;
    if (last == null) {
      head = item;
      return true;
    }
    last.next = item;
    return last.segment != item.segment;
  }

  @Nullable Item headIn(Segment segment) {
    Item first = head;
    return first != null && first.segment == segment ? first : null;
  }

  void removeHead() {
    Item first = head;
    if (first == null) {
      return;
    }
    head = first.next;
    bytes -= first.bytes;
    if (head == null) {
      tail = null;
    }
  }
}
