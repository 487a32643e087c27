package io.tidemark.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.watch.WatcherQueue.Item;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything queued for one stream, in two lanes.
 *
 * <p>The <b>control lane</b> (created, refused, canceled) is never stuck behind events. The
 * <b>event lane</b> (events, compaction cancels, progress) is first in first out for each watcher;
 * watchers take turns of {@link Segment#TURN_BYTES}, and a progress message for the whole stream is
 * a barrier that nobody passes.
 *
 * <p>Full policy: {@link #offer} refuses and the watcher waits at its cursor; the drained callback
 * tells when the queue is below half again. Messages without events are small and bounded in number
 * and are always taken.
 *
 * <p>Thread: the dispatcher fills, the transport polls, under one lock that is held over no I/O and
 * no callback.
 */
final class Outbox {
  /** Heap cost of a queued message beside its events. */
  static final long MESSAGE_BYTES = 96;

  /**
   * What an outbox keeps to.
   *
   * @param bytesMax bytes queued for this stream
   * @param server bytes queued for all streams
   * @param compactRevision the store's compact revision of the moment
   */
  record Bounds(long bytesMax, ByteBudget server, LongSupplier compactRevision) {}

  private final long bytesMax;
  private final ByteBudget server;
  private final LongSupplier compactRevision;
  private final Runnable onOutbound;
  private final Runnable onDrained;

  @GuardedBy("this")
  private final ArrayDeque<WatchMessage> control = new ArrayDeque<>(4);

  @GuardedBy("this")
  private final Barriers barriers = new Barriers();

  @GuardedBy("this")
  private long bytes;

  @GuardedBy("this")
  private int events;

  @GuardedBy("this")
  private int items;

  /** Queues that hold something, to know each one's fair share. */
  @GuardedBy("this")
  private int busyQueues;

  /** The rest of a split list must follow before anything else. */
  @GuardedBy("this")
  private boolean midList;

  /** The last poll found nothing, so that the owner waits to be called. */
  @GuardedBy("this")
  private boolean ownerWaits = true;

  /** A watcher waits until the queue is below half. */
  @GuardedBy("this")
  private boolean watcherWaits;

  @GuardedBy("this")
  private boolean closed;

  Outbox(Bounds bounds, Runnable onOutbound, Runnable onDrained) {
    this.bytesMax = bounds.bytesMax();
    this.server = bounds.server();
    this.compactRevision = bounds.compactRevision();
    this.onOutbound = onOutbound;
    this.onDrained = onDrained;
  }

  /** Puts a created message before everything that is queued as events. */
  void created(WatchMessage message) {
    // A progress message for the whole stream would be taken to speak for the new watcher as well,
    // of which it knows nothing: it either still goes ahead of the created message or is dropped
    // (an unanswered request is asked again).
    enqueueControl(message, true, null);
  }

  /** A control message that concerns no watcher. */
  void control(WatchMessage message) {
    enqueueControl(message, false, null);
  }

  /** Forgets what the watcher has queued and confirms its end. */
  void canceled(WatchMessage message, WatcherQueue queue) {
    enqueueControl(message, false, queue);
  }

  private void enqueueControl(WatchMessage message, boolean settle, @Nullable WatcherQueue purged) {
    boolean call;
    synchronized (this) {
      if (closed) {
        return;
      }
      if (purged != null) {
        purge(purged);
      }
      if (settle) {
        addProgressToControl(barriers.settle());
      }
      control.add(message);
      call = takeOwnerWaits();
    }
    if (call) {
      onOutbound.run();
    }
  }

  /**
   * Queues one list for a watcher, in several pieces when it is split.
   *
   * @return false when the queue is full; nothing was queued, and the drained callback comes once
   *     it is below half
   */
  boolean offer(WatcherQueue queue, List<WatchMessage.Events> pieces) {
    long listBytes = 0;
    for (WatchMessage.Events piece : pieces) {
      listBytes += bytesOf(piece);
    }
    boolean call;
    synchronized (this) {
      if (closed) {
        return true;
      }
      if (!fits(queue, listBytes)) {
        watcherWaits = true;
        return false;
      }
      for (WatchMessage.Events piece : pieces) {
        append(queue, piece, bytesOf(piece), piece.events().size());
      }
      call = takeOwnerWaits();
    }
    if (call) {
      onOutbound.run();
    }
    return true;
  }

  /** Queues the end of a watcher behind its events, whatever the queue's size. */
  void compacted(WatcherQueue queue, WatchMessage.Compacted message) {
    boolean call;
    synchronized (this) {
      if (closed) {
        return;
      }
      append(queue, message, MESSAGE_BYTES, 0);
      call = takeOwnerWaits();
    }
    if (call) {
      onOutbound.run();
    }
  }

  /** Queues a watcher's own progress behind its events; a full queue drops it. */
  void progress(WatcherQueue queue, long revision) {
    WatchMessage message = new WatchMessage.Progress(queue.watchId, revision);
    boolean call;
    synchronized (this) {
      if (closed) {
        return;
      }
      Item last = queue.tail;
      // One ahead of a barrier stays: a newer revision there would make the barrier's go back.
      if (last != null
          && last.segment == barriers.open()
          && last.message instanceof WatchMessage.Progress) {
        last.message = message;
        return;
      }
      if (items > 0 && bytes + MESSAGE_BYTES > bytesMax) {
        return;
      }
      append(queue, message, MESSAGE_BYTES, 0);
      call = takeOwnerWaits();
    }
    if (call) {
      onOutbound.run();
    }
  }

  /** Queues progress for the whole stream behind everything that is queued now. */
  void progressOfAll(long revision) {
    boolean call;
    synchronized (this) {
      if (closed) {
        return;
      }
      if (items == 0 && barriers.isEmpty()) {
        addProgressToControl(revision);
      } else {
        barriers.add(revision);
      }
      call = takeOwnerWaits();
    }
    if (call) {
      onOutbound.run();
    }
  }

  /** Takes the next message to write, or null when there is none now. */
  @Nullable WatchMessage poll() {
    WatchMessage message;
    boolean drained;
    synchronized (this) {
      message = next();
      if (message == null) {
        ownerWaits = true;
        return null;
      }
      drained = watcherWaits && bytes <= bytesMax / 2;
      if (drained) {
        watcherWaits = false;
      }
    }
    if (drained) {
      onDrained.run();
    }
    return message instanceof WatchMessage.Compacted end ? refreshed(end) : message;
  }

  /** The compact revision of the moment of sending: it may have risen while the message waited. */
  private WatchMessage refreshed(WatchMessage.Compacted end) {
    long now = Math.max(end.compactRevision(), compactRevision.getAsLong());
    return new WatchMessage.Compacted(end.watchId(), now, end.revision());
  }

  /**
   * Whether a watcher that has more to read should wait first; if so, the drained callback comes.
   * One with nothing queued may go on: its siblings' backlog isn't its own.
   */
  synchronized boolean waitUnlessDrained(WatcherQueue queue) {
    boolean behindItself = queue.head != null && bytes > bytesMax / 2;
    boolean full = !closed && items > 0 && (behindItself || !server.fits(0));
    watcherWaits |= full;
    return full;
  }

  synchronized int controlMessages() {
    return control.size();
  }

  /** Bytes queued for this stream. */
  synchronized long bytes() {
    return bytes;
  }

  /** Forgets everything at once; later messages are ignored. */
  synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    server.add(-bytes, -events);
    bytes = 0;
    events = 0;
    items = 0;
    control.clear();
    barriers.clear();
  }

  @GuardedBy("this")
  private boolean fits(WatcherQueue queue, long more) {
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

  @GuardedBy("this")
  private void append(WatcherQueue queue, WatchMessage message, long size, int count) {
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

  @GuardedBy("this")
  private @Nullable WatchMessage next() {
    if (!midList && !control.isEmpty()) {
      return control.poll();
    }
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

  @GuardedBy("this")
  private WatchMessage take(Segment segment, WatcherQueue queue, Item item) {
    queue.removeHead();
    if (queue.head == null) {
      busyQueues--;
    }
    forget(item);
    midList = item.message instanceof WatchMessage.Events list && list.fragment();
    segment.served(queue, item.bytes, !midList);
    return item.message;
  }

  @GuardedBy("this")
  private void purge(WatcherQueue queue) {
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

  @GuardedBy("this")
  private void forget(Item item) {
    item.segment.items--;
    items--;
    bytes -= item.bytes;
    events -= item.events;
    server.add(-item.bytes, -item.events);
  }

  /** Progress with nothing ahead of it; it replaces one that nothing follows. */
  @GuardedBy("this")
  private void addProgressToControl(long revision) {
    if (revision == 0) {
      return;
    }
    if (control.peekLast() instanceof WatchMessage.Progress) {
      control.removeLast();
    }
    control.addLast(new WatchMessage.Progress(WatchMessage.WHOLE_STREAM, revision));
  }

  @GuardedBy("this")
  private boolean takeOwnerWaits() {
    boolean waits = ownerWaits;
    ownerWaits = false;
    return waits;
  }

  private static long bytesOf(WatchMessage.Events list) {
    long sum = MESSAGE_BYTES;
    for (EncodedEvent event : list.events()) {
      sum += event.size();
    }
    return sum;
  }
}
