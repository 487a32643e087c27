package io.tidemark.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
   * @param listBytesMax bytes of lists that are put together into one
   * @param server bytes queued for all streams
   * @param compactRevision the store's compact revision of the moment
   */
  record Bounds(
      long bytesMax, long listBytesMax, ByteBudget server, LongSupplier compactRevision) {}

  private final long bytesMax;
  private final ByteBudget server;
  private final LongSupplier compactRevision;
  private final Runnable onOutbound;
  private final Runnable onDrained;

  @GuardedBy("this")
  private final ArrayDeque<WatchMessage> control = new ArrayDeque<>(4);

  @GuardedBy("this")
  private final EventLane lane;

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
    this.lane = new EventLane(bounds.listBytesMax(), server);
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
  void canceled(WatchMessage message, @Nullable WatcherQueue queue) {
    enqueueControl(message, false, queue);
  }

  private void enqueueControl(WatchMessage message, boolean settle, @Nullable WatcherQueue purged) {
    boolean call;
    synchronized (this) {
      if (closed) {
        return;
      }
      if (purged != null) {
        lane.purge(purged);
      }
      if (settle) {
        addProgressToControl(lane.settleBarriers());
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
      if (!lane.fits(queue, listBytes, bytesMax)) {
        watcherWaits = true;
        return false;
      }
      for (WatchMessage.Events piece : pieces) {
        lane.append(queue, piece, bytesOf(piece), piece.events().size());
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
      lane.append(queue, message, MESSAGE_BYTES, 0);
      call = takeOwnerWaits();
    }
    if (call) {
      onOutbound.run();
    }
  }

  /** Queues a watcher's own progress behind its events; a full queue drops it. */
  void progress(WatcherQueue queue, long revision) {
    WatchMessage.Progress message = new WatchMessage.Progress(queue.watchId, revision);
    boolean call;
    synchronized (this) {
      if (closed) {
        return;
      }
      if (lane.replaceProgress(queue, message)) {
        return;
      }
      if (!lane.holdsNothing() && lane.bytes() + MESSAGE_BYTES > bytesMax) {
        return;
      }
      lane.append(queue, message, MESSAGE_BYTES, 0);
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
      if (!lane.addBarrier(revision)) {
        addProgressToControl(revision);
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
      message = lane.midList() || control.isEmpty() ? lane.next() : control.poll();
      if (message == null) {
        ownerWaits = true;
        return null;
      }
      drained = watcherWaits && lane.bytes() <= bytesMax / 2;
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
    boolean behindItself = queue.head != null && lane.bytes() > bytesMax / 2;
    boolean full = !closed && !lane.holdsNothing() && (behindItself || !server.fits(0));
    watcherWaits |= full;
    return full;
  }

  synchronized int controlMessages() {
    return control.size();
  }

  /** Bytes queued for this stream. */
  synchronized long bytes() {
    return lane.bytes();
  }

  /** Forgets everything at once; later messages are ignored. */
  synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    control.clear();
    lane.clear();
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
