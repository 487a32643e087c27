package io.tidemark.watch;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one owner of all watchers. Each turn it carries out requests, takes in finished catch-up
 * jobs, hands new revisions to the synced watchers in order, starts new jobs and runs due ticks;
 * everything bounded, so that nothing waits long for anything else.
 *
 * <p>Thread: dispatcher; {@link #announce}, {@link #slowest}, {@link #compacted} and {@link
 * #restored} any.
 */
final class Dispatcher implements AgentLoop.Agent {
  private static final int STREAMS_PER_TURN = 256;
  private static final int REQUESTS_PER_STREAM = 64;
  private static final int SLOWEST_SHOWN = 20;

  private final RevisionRing ring;
  private final History history;
  private final Roster roster;
  private final LiveTurn live;
  private final CatchUps catchUps;
  private final Requests requests;
  private final ProgressTicks ticks;
  private final LongSupplier nanoClock;

  /** Streams to look at; each is in here at most once. */
  private final Queue<WatchStream> announced = new ConcurrentLinkedQueue<>();

  /** The open question for the slowest watchers; whoever asks meanwhile shares its answer. */
  private final AtomicReference<@Nullable CompletableFuture<List<SlowWatcher>>> inspection =
      new AtomicReference<>();

  private volatile long compactedAt;
  private volatile long restores;
  private volatile long restoresHandled;

  Dispatcher(CatchUps.Work work, LongSupplier nanoClock, CursorHandoff handoff, Runnable onHanded) {
    this.ring = work.ring();
    this.history = work.history();
    this.nanoClock = nanoClock;
    this.roster = new Roster(history, work.counters(), ring.newest());
    Delivery delivery = new Delivery(work.limits(), work.counters());
    this.live = new LiveTurn(ring, roster, delivery, work.limits());
    this.catchUps = new CatchUps(roster, delivery, work, handoff, onHanded);
    long seed = nanoClock.getAsLong();
    this.ticks = new ProgressTicks(roster, work.limits().progressInterval().toNanos(), seed);
    this.requests = new Requests(roster, history, work.counters(), ticks);
  }

  /** A stream has requests, drained or closed. */
  void announce(WatchStream stream) {
    announced.add(stream);
  }

  /** Answered in the next turn, by this thread. */
  CompletableFuture<List<SlowWatcher>> slowest() {
    CompletableFuture<List<SlowWatcher>> mine = new CompletableFuture<>();
    CompletableFuture<List<SlowWatcher>> open = inspection.compareAndExchange(null, mine);
    return open == null ? mine : open;
  }

  /** Thread: apply. */
  void compacted(long revision) {
    compactedAt = Math.max(compactedAt, revision);
  }

  /** Thread: apply; the ring was reset before. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void restored() {
    restores++;
  }

  /** The store was swapped and the watchers were not moved yet: none of them is fed live. */
  boolean restorePending() {
    return restores != restoresHandled;
  }

  long dispatched() {
    return roster.dispatched();
  }

  @Override
  public long idleNanos() {
    return ticks.idleNanos(nanoClock.getAsLong());
  }

  @Override
  public int doWork() {
    long now = nanoClock.getAsLong();
    int work = takeRestore();
    roster.compact(compactedAt);
    work += serveStreams(now);
    work += catchUps.finish();
    work += live.run();
    work += catchUps.start();
    work += ticks.run(now);
    work += inspect();
    return work;
  }

  private int inspect() {
    CompletableFuture<List<SlowWatcher>> open = inspection.getAndSet(null);
    if (open == null) {
      return 0;
    }
    open.complete(roster.lagging().slowest(SLOWEST_SHOWN));
    return 1;
  }

  private int takeRestore() {
    long count = restores;
    if (count == restoresHandled) {
      return 0;
    }
    roster.compact(history.compactRevision());
    roster.loseLive(ring.newest());
    restoresHandled = count;
    return 1;
  }

  private int serveStreams(long now) {
    int served = 0;
    while (served < STREAMS_PER_TURN) {
      WatchStream stream = announced.poll();
      if (stream == null) {
        break;
      }
      served++;
      stream.heard();
      serve(stream, now);
    }
    return served;
  }

  private void serve(WatchStream stream, long now) {
    if (stream.closed()) {
      requests.close(stream);
      return;
    }
    if (stream.takeDrained()) {
      roster.unpark(stream.watchers);
    }
    for (int i = 0; i < REQUESTS_PER_STREAM; i++) {
      StreamRequest request = stream.nextRequest();
      if (request == null) {
        return;
      }
      requests.handle(stream, request, now);
    }
    stream.announceIfRequests();
  }
}
