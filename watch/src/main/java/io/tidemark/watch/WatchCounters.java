package io.tidemark.watch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts for {@link WatchGauges}. A watcher is counted under its state and nowhere else, so that no
 * gauge can drift.
 *
 * <p>Thread: any.
 */
final class WatchCounters {
  private final AtomicInteger synced = new AtomicInteger();
  private final AtomicInteger unsynced = new AtomicInteger();
  private final AtomicInteger victims = new AtomicInteger();

  final AtomicInteger streams = new AtomicInteger();
  final LongAdder events = new LongAdder();
  final LongAdder compactCancels = new LongAdder();
  final LongAdder progressAnswered = new LongAdder();
  final LongAdder progressSilent = new LongAdder();
  final LongAdder overflows = new LongAdder();
  final LongAdder diskRevisions = new LongAdder();

  void moved(WatcherState from, WatcherState to) {
    add(from, -1);
    add(to, 1);
  }

  private void add(WatcherState state, int change) {
    switch (state) {
      case SYNCED -> synced.addAndGet(change);
      case UNSYNCED -> unsynced.addAndGet(change);
      case VICTIM -> victims.addAndGet(change);
      case ENDED -> {}
    }
  }

  int synced() {
    return synced.get();
  }

  int unsynced() {
    return unsynced.get();
  }

  int victims() {
    return victims.get();
  }
}
