package io.tidemark.watch;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Tells idle watchers that asked for it how far they are, once per interval and stream. A stream's
 * interval is longer by up to a tenth, so that streams opened together don't tick together.
 *
 * <p>Thread: dispatcher.
 */
final class ProgressTicks {
  private static final int JITTER_PART = 10;

  private final TreeSet<Tick> ticks =
      new TreeSet<>(
          // Differences, as nanosecond clocks may overflow.
          Comparator.<Tick, Tick>comparing(tick -> tick, (a, b) -> Long.signum(a.at - b.at))
              .thenComparingLong(tick -> tick.serial));

  private final Roster roster;
  private final long intervalNanos;
  private final SplittableRandom random;
  private long serials;

  ProgressTicks(Roster roster, long intervalNanos, long seed) {
    this.roster = roster;
    this.intervalNanos = intervalNanos;
    this.random = new SplittableRandom(seed);
  }

  /** One stream's next tick. */
  static final class Tick {
    private final WatchStream stream;
    private final long serial;
    private final long at;

    private Tick(WatchStream stream, long serial, long at) {
      this.stream = stream;
      this.serial = serial;
      this.at = at;
    }
  }

  void add(WatchStream stream, long nowNanos) {
    if (stream.tick == null) {
      plan(stream, nowNanos);
    }
  }

  void remove(WatchStream stream) {
    Tick tick = stream.tick;
    if (tick != null) {
      ticks.remove(tick);
      stream.tick = null;
    }
  }

  /** Nanoseconds until the next tick. */
  long idleNanos(long nowNanos) {
    return ticks.isEmpty() ? Long.MAX_VALUE : Math.max(0, ticks.first().at - nowNanos);
  }

  int run(long nowNanos) {
    int work = 0;
    while (!ticks.isEmpty() && ticks.first().at - nowNanos <= 0) {
      WatchStream stream = ticks.first().stream;
      remove(stream);
      if (!stream.watchers.notified().isEmpty()) {
        tick(stream);
        plan(stream, nowNanos);
      }
      work++;
    }
    return work;
  }

  private void tick(WatchStream stream) {
    long dispatched = roster.dispatched();
    for (Watcher watcher : stream.watchers.notified()) {
      boolean idle = !watcher.eventsSinceTick;
      watcher.eventsSinceTick = false;
      if (idle && watcher.progressHolds(dispatched)) {
        stream.outbox().progress(watcher.queue(), dispatched);
      }
    }
  }

  private void plan(WatchStream stream, long nowNanos) {
    long jitter = random.nextLong(intervalNanos / JITTER_PART + 1);
    Tick tick = new Tick(stream, serials++, nowNanos + intervalNanos + jitter);
    stream.tick = tick;
    ticks.add(tick);
  }
}
