package io.tidemark.watch;

import io.tidemark.watch.WatcherQueue.Item;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is queued for one stream behind its control messages: first in first out for each watcher,
 * watchers in turns, cut by barriers. Counts its bytes here and for the whole server.
 *
 * <p>Thread: guarded by the lock of the {@link Outbox}.
 */
final class EventLane {
  /** Lists up to this size together go out as one: a message costs more than an event. */
  private static final long JOINED_BYTES_MAX = 32 << 10;

  private final long joinedBytesMax;
  private final ByteBudget server;
  private final Barriers barriers = new Barriers();
  private long bytes;
  private int events;
  private int items;

  /** Queues that hold something, to know each one's fair share. */
  private int busyQueues;

  /** The rest of a split list must follow before anything else. */
  private boolean midList;

  EventLane(long listBytesMax, ByteBudget server) {
    this.joinedBytesMax = Math.min(JOINED_BYTES_MAX, listBytesMax);
    this.server = server;
  }

  long bytes() {
    return bytes;
  }

  /** No messages; there may be barriers. */
  boolean holdsNothing() {
    return items == 0;
  }

  /** The next message has to come from here. */
  boolean midList() {
    return midList;
  }

  /** Whether a list of this size may be queued, when {@code bytesMax} is the stream's share. */
  boolean fits(WatcherQueue queue, long more, long bytesMax) {
    if (items == 0) {
      return true; // a list larger than every bound must pass some time
    }
    if (bytes + more > bytesMax || !server.fits(more)) {
      return false;
    }
    // The last quarter is kept for watchers with little queued: a heavy one can't push them out.
    long fairShare = bytesMax / 4 / Math.max(1, busyQueues);
    return bytes + more <= bytesMax / 4 * 3 || queue.bytes + more <= fairShare;
  }

  void append(WatcherQueue queue, WatchMessage message, long size, int count) {
    Segment open = barriers.open();
    if (queue.head == null) {
      busyQueues++;
    }
    if (queue.add(new Item(message, size, count, open))) {
      open.round.addLast(queue);
    }
    open.items++;
    items++;
    bytes += size;
    events += count;
    server.add(size, count);
  }

  /** Takes the place of the watcher's last message if that is progress as well. */
  boolean replaceProgress(WatcherQueue queue, WatchMessage.Progress message) {
    Item last = queue.tail;
    // One ahead of a barrier stays: a newer revision there would make the barrier's go back.
    if (last == null
        || last.segment != barriers.open()
        || !(last.message instanceof WatchMessage.Progress)) {
      return false;
    }
    last.message = message;
    return true;
  }

  /** Puts progress for the whole stream behind everything; false when nothing is here. */
  boolean addBarrier(long revision) {
    if (items == 0 && barriers.isEmpty()) {
      return false;
    }
    barriers.add(revision);
    return true;
  }

  /**
   * Takes away all progress for the whole stream; the revision of what nothing is ahead of, or 0.
   */
  long settleBarriers() {
    return barriers.settle();
  }

  @Nullable WatchMessage next() {
    while (true) {
      Segment first = barriers.first();
      WatcherQueue queue = first.round.peekFirst();
      if (queue == null) {
        if (!first.closed) {
          return null;
        }
        long revision = barriers.pass();
        if (revision > 0) {
          return new WatchMessage.Progress(WatchMessage.WHOLE_STREAM, revision);
        }
        continue;
      }
      Item item = queue.headIn(first);
      if (item == null) {
        first.round.removeFirst(); // purged
        continue;
      }
      return take(first, queue, item);
    }
  }

  private WatchMessage take(Segment segment, WatcherQueue queue, Item item) {
    boolean tail = midList;
    remove(queue, item);
    midList = item.message instanceof WatchMessage.Events list && list.fragment();
    long taken = item.bytes;
    WatchMessage message = item.message;
    Item next = queue.headIn(segment);
    if (!tail && joins(item, 0) && joins(next, taken)) {
      List<WatchMessage.Events> lists = new ArrayList<>();
      lists.add((WatchMessage.Events) message);
      while (next != null && joins(next, taken)) {
        remove(queue, next);
        taken += next.bytes;
        lists.add((WatchMessage.Events) next.message);
        next = queue.headIn(segment);
      }
      message = WatchMessage.Events.joined(lists);
    }
    segment.served(queue, taken, !midList);
    return message;
  }

  /** Whether an item is a whole list and small enough to go out with what is taken already. */
  private boolean joins(@Nullable Item item, long taken) {
    return item != null
        && taken + item.bytes <= joinedBytesMax
        && item.message instanceof WatchMessage.Events list
        && !list.fragment();
  }

  /** Forgets what one watcher has queued. */
  void purge(WatcherQueue queue) {
    if (queue.head == null) {
      return;
    }
    if (midList && barriers.first().round.peekFirst() == queue) {
      midList = false;
    }
    busyQueues--;
    for (Item item = queue.head; item != null; item = item.next) {
      forget(item);
    }
    queue.head = null;
    queue.tail = null;
    queue.bytes = 0;
  }

  /** Forgets everything. */
  void clear() {
    server.add(-bytes, -events);
    bytes = 0;
    events = 0;
    items = 0;
    barriers.clear();
  }

  private void remove(WatcherQueue queue, Item item) {
    queue.removeHead();
    if (queue.head == null) {
      busyQueues--;
    }
    forget(item);
  }

  private void forget(Item item) {
    item.segment.items--;
    items--;
    bytes -= item.bytes;
    events -= item.events;
    server.add(-item.bytes, -item.events);
  }
}
