package io.tidemark.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client stream with any number of watchers.
 *
 * <p>Requests are carried out in order by the dispatcher; their answers and all events come out of
 * {@link #poll()}. No method blocks. Answers to create requests come in request order and before
 * any event of their watcher.
 *
 * <p>Bounds: events are bounded in bytes, and a watcher that doesn't get its events accepted falls
 * back to reading the past. Requests and their answers are bounded by the owner: it must stop
 * reading requests while {@link #acceptsRequests()} is false, and look again after each poll.
 *
 * <p>Thread: any, but calls of requests are ordered by the owner, and so are calls of {@link
 * #poll()}.
 */
public final class WatchStream implements AutoCloseable {
  private static final int REQUESTS_MAX = 1024;

  private final String owner;
  private final Outbox outbox;
  private final WatchCounters counters;
  private final Consumer<WatchStream> dispatcher;

  /** Thread: dispatcher. */
  final StreamWatchers watchers = new StreamWatchers();

  /** The next progress tick, if one is planned. Thread: dispatcher. */
  ProgressTicks.@Nullable Tick tick;

  @GuardedBy("this")
  private final ArrayDeque<StreamRequest> inbox = new ArrayDeque<>(2);

  /** The dispatcher was told to look at this stream and hasn't yet. */
  @GuardedBy("this")
  private boolean announced;

  @GuardedBy("this")
  private boolean drained;

  @GuardedBy("this")
  private boolean closed;

  WatchStream(
      String owner,
      Outbox.Bounds bounds,
      WatchCounters counters,
      Runnable onOutbound,
      Consumer<WatchStream> dispatcher) {
    this.owner = owner;
    this.counters = counters;
    this.dispatcher = dispatcher;
    this.outbox = new Outbox(bounds, onOutbound, this::announceDrained);
    counters.streams.incrementAndGet();
  }

  /** Asks for a watcher. Answered by created, or refused; never ends the stream. */
  public void create(WatchSpec spec) {
    request(new StreamRequest.Create(spec));
  }

  /** Answers a create request that was refused before it came here, for example by permissions. */
  public void reject(String cancelReason) {
    request(new StreamRequest.Reject(cancelReason));
  }

  /** Ends a watcher. An unknown id gets no answer. */
  public void cancel(long watchId) {
    request(new StreamRequest.Cancel(watchId));
  }

  /**
   * Asks how far the stream is. Answered at once by one progress message if all watchers are
   * synced, else by those that are (at most every 100 ms) or not at all; never later.
   */
  public void requestProgress() {
    request(new StreamRequest.Progress());
  }

  /** Whether the owner may pass on another request now. */
  public boolean acceptsRequests() {
    int waiting;
    synchronized (this) {
      waiting = inbox.size();
    }
    return waiting + outbox.controlMessages() < REQUESTS_MAX;
  }

  /**
   * The next message to write, or null if there is none; after null the owner is called back. Gives
   * the message's bytes back to the queue, so poll only while the transport takes more.
   */
  public @Nullable WatchMessage poll() {
    return outbox.poll();
  }

  /** Ends the stream with all its watchers. Queued messages are freed at once. */
  @Override
  public void close() {
    outbox.close();
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      inbox.clear();
    }
    counters.streams.decrementAndGet();
    announce();
  }

  String owner() {
    return owner;
  }

  Outbox outbox() {
    return outbox;
  }

  private void request(StreamRequest request) {
    synchronized (this) {
      if (closed) {
        return;
      }
      inbox.add(request);
    }
    announce();
  }

  private void announceDrained() {
    synchronized (this) {
      drained = true;
    }
    announce();
  }

  private void announce() {
    synchronized (this) {
      if (announced) {
        return;
      }
      announced = true;
    }
    dispatcher.accept(this);
  }

  /** The dispatcher starts to look at this stream; later announcements reach it again. */
  synchronized void heard() {
    announced = false;
  }

  synchronized @Nullable StreamRequest nextRequest() {
    return inbox.poll();
  }

  synchronized boolean takeDrained() {
    boolean was = drained;
    drained = false;
    return was;
  }

  synchronized boolean closed() {
    return closed;
  }

  /** Has the dispatcher come back for requests that it left for later. */
  void announceIfRequests() {
    synchronized (this) {
      if (inbox.isEmpty()) {
        return;
      }
    }
    announce();
  }
}
