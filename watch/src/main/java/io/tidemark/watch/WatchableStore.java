package io.tidemark.watch;

import io.tidemark.mvcc.RevisionBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes what happens in a store to any number of watchers.
 *
 * <p>The apply thread feeds it through {@link #publish}, {@link #compacted} and {@link #restored};
 * none of them blocks, takes a lock or costs more with more watchers. Nothing is delivered before
 * {@link #start()}.
 */
public final class WatchableStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WatchableStore.class);
  private static final int CURSOR_THREADS = 2;

  private final History history;
  private final WatchLimits limits;
  private final RevisionRing ring;
  private final ByteBudget queues;
  private final WatchCounters counters = new WatchCounters();
  private final Dispatcher dispatcher;
  private final AgentLoop dispatcherLoop;
  private final List<AgentLoop> cursorLoops = new ArrayList<>();
  private final CursorHandoff handoff = new CursorHandoff(CURSOR_THREADS);

  /**
   * Builds the machinery on the store's present revision; the first batch published must be the one
   * after it. A fault is logged and left to the thread's uncaught exception handler.
   *
   * @param member names the threads
   */
  public WatchableStore(String member, HistorySource source, WatchLimits limits) {
    this(member, source, limits, WatchableStore::rethrow);
  }

  /**
   * As above, with a receiver of faults: after one no watcher gets anything any more, so the member
   * has to stop.
   */
  public WatchableStore(
      String member, HistorySource source, WatchLimits limits, Consumer<Throwable> onFault) {
    this(member, new StoreHistory(source), limits, System::nanoTime, onFault);
  }

  WatchableStore(
      String member,
      History history,
      WatchLimits limits,
      LongSupplier nanoClock,
      Consumer<Throwable> onFault) {
    this.history = history;
    this.limits = limits;
    this.ring =
        new RevisionRing(limits.ringBytesMax(), limits.ringRevisionsMax(), history.revision());
    this.queues = new ByteBudget(limits.serverQueueBytesMax());
    CatchUps.Work work = new CatchUps.Work(ring, history, limits, counters);
    this.dispatcher = new Dispatcher(work, nanoClock, handoff, this::signalCursors);
    Consumer<Throwable> logged =
        fault -> {
          LOG.error("watch stopped by a fault", fault);
          onFault.accept(fault);
        };
    String prefix = "tidemark-" + member + "-watch-";
    this.dispatcherLoop = new AgentLoop(prefix + "dispatch", dispatcher, logged);
    for (int i = 0; i < CURSOR_THREADS; i++) {
      CursorAgent cursor = new CursorAgent(handoff, dispatcherLoop::signal);
      cursorLoops.add(new AgentLoop(prefix + "cursor-" + i, cursor, logged));
    }
  }

  /** Starts the threads; call once. */
  public void start() {
    dispatcherLoop.start();
    cursorLoops.forEach(AgentLoop::start);
  }

  /** New revisions in order, readable already. Thread: apply; O(1) per revision. */
  public void publish(List<RevisionBatch> batches) {
    for (RevisionBatch batch : batches) {
      ring.append(batch);
    }
    if (!batches.isEmpty()) {
      dispatcherLoop.signal();
    }
  }

  /** The store was compacted. Thread: apply; O(1). */
  public void compacted(long compactRevision) {
    dispatcher.compacted(compactRevision);
    dispatcherLoop.signal();
  }

  /**
   * The store was replaced by a newer one, which the source already shows. From now on no watcher
   * counts as synced until it has read what it missed. Thread: apply; O(1).
   */
  public void restored() {
    ring.reset(history.revision());
    dispatcher.restored();
    dispatcherLoop.signal();
  }

  /**
   * Opens a stream.
   *
   * @param onOutbound called from any thread when {@link WatchStream#poll} may have something after
   *     having returned null (or before its first call); must neither block nor throw
   */
  public WatchStream open(Runnable onOutbound) {
    return open("", onOutbound);
  }

  /**
   * As above, for somebody.
   *
   * @param owner names the stream's owner to {@link #slowest}
   */
  public WatchStream open(String owner, Runnable onOutbound) {
    return new WatchStream(
        owner,
        new Outbox.Bounds(
            limits.streamQueueBytesMax(), limits.listBytesMax(), queues, history::compactRevision),
        counters,
        onOutbound,
        this::announce);
  }

  /** Everything up to here was handed to the watchers that are synced. Thread: any. */
  public long dispatchedRevision() {
    return dispatcher.dispatched();
  }

  /**
   * The watchers that are furthest behind, slowest first, twenty at most. Completes on the
   * dispatcher's thread, which must not be blocked; never once this is closed. Thread: any.
   */
  public CompletableFuture<List<SlowWatcher>> slowest() {
    CompletableFuture<List<SlowWatcher>> answer = dispatcher.slowest();
    dispatcherLoop.signal();
    return answer;
  }

  /** Counts of this moment. Thread: any. */
  public WatchGauges gauges() {
    int synced = counters.synced();
    int unsynced = counters.unsynced();
    int victims = counters.victims();
    int swapped = dispatcher.restorePending() ? synced : 0;
    return new WatchGauges(
        counters.streams.get(),
        synced + unsynced + victims,
        synced - swapped,
        unsynced + swapped,
        victims,
        queues.bytes(),
        queues.events(),
        ring.revisions(),
        ring.bytes(),
        counters.events.sum(),
        counters.compactCancels.sum(),
        counters.progressAnswered.sum(),
        counters.progressSilent.sum(),
        counters.overflows.sum(),
        counters.diskRevisions.sum());
  }

  /** Stops the threads. Streams get nothing any more; their owners close them. */
  @Override
  public void close() {
    dispatcherLoop.close();
    cursorLoops.forEach(AgentLoop::close);
  }

  /** For tests that step instead of starting the threads. */
  Dispatcher dispatcher() {
    return dispatcher;
  }

  CursorAgent newCursor() {
    return new CursorAgent(handoff, () -> {});
  }

  private void announce(WatchStream stream) {
    dispatcher.announce(stream);
    dispatcherLoop.signal();
  }

  private void signalCursors() {
    cursorLoops.forEach(AgentLoop::signal);
  }

  private static void rethrow(Throwable fault) {
    if (fault instanceof Error error) {
      throw error;
    }
    throw new IllegalStateException("watch stopped by a fault", fault);
  }
}
