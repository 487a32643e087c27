package io.tidemark.watch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts for {@link WatchGauges}. A watcher is counted under its state and nowhere else, so that no
 * gauge can drift.
 *
 * <p>Thread: any.
 */
final class WatchCounters {
  private final AtomicIntegerArray byState = new AtomicIntegerArray(WatcherState.values().length);

  final AtomicInteger streams = new AtomicInteger();
  final LongAdder events = new LongAdder();
  final LongAdder compactCancels = new LongAdder();
  final LongAdder progressAnswered = new LongAdder();
  final LongAdder progressSilent = new LongAdder();
  final LongAdder overflows = new LongAdder();
  final LongAdder diskRevisions = new LongAdder();

  void moved(WatcherState from, WatcherState to) {
    if (from != WatcherState.ENDED) {
      byState.decrementAndGet(from.ordinal());
    }
    if (to != WatcherState.ENDED) {
      byState.incrementAndGet(to.ordinal());
    }
  }

  int in(WatcherState state) {
    return byState.get(state.ordinal());
  }
}
