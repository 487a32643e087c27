package io.tidemark.watch;

/**
 * Every watcher's state, and the moves between states. This is the only place that changes one, so
 * index, lagging set and gauges always agree.
 *
 * <p>Thread: dispatcher; {@link #dispatched()} any.
 */
final class Roster {
  private final History history;
  private final WatchCounters counters;
  private final WatcherIndex<Watcher> index = new WatcherIndex<>();
  private final LaggingWatchers lagging = new LaggingWatchers();

  private volatile long dispatched;
  private long compacted;

  Roster(History history, WatchCounters counters, long dispatched) {
    this.history = history;
    this.counters = counters;
    this.dispatched = dispatched;
    this.compacted = history.compactRevision();
  }

  WatcherIndex<Watcher> index() {
    return index;
  }

  LaggingWatchers lagging() {
    return lagging;
  }

  /** Everything up to here went to the synced watchers. */
  long dispatched() {
    return dispatched;
  }

  void dispatchedTo(long revision) {
    Invariants.atLeast(revision, dispatched, "I5: the dispatched revision went back");
    dispatched = revision;
  }

  long compacted() {
    return compacted;
  }

  /** Ends every lagging watcher that needs something older. Synced ones need nothing old. */
  void compact(long revision) {
    if (revision <= compacted) {
      return;
    }
    compacted = revision;
    for (Watcher watcher : lagging.below(revision)) {
      endCompacted(watcher);
    }
  }

  /**
   * Moves a watcher's cursor and puts it where it belongs then: live if it has seen everything that
   * was dispatched, else behind; ended if its next revision is compacted.
   */
  void settle(Watcher watcher, long next) {
    if (next > dispatched) {
      move(watcher, WatcherState.SYNCED, next);
    } else if (next < compacted) {
      endCompacted(watcher);
    } else if (watcher.stream.outbox().waitUnlessDrained(watcher.queue())) {
      park(watcher, next);
    } else {
      move(watcher, WatcherState.UNSYNCED, next);
    }
  }

  /** The stream's queue is full: the watcher waits at its cursor. */
  void park(Watcher watcher, long next) {
    if (next < compacted) {
      endCompacted(watcher);
      return;
    }
    counters.overflows.increment();
    move(watcher, WatcherState.VICTIM, next);
  }

  /** The stream drained: its waiting watchers get in line. */
  void unpark(StreamWatchers watchers) {
    for (Watcher watcher : watchers.victims()) {
      move(watcher, WatcherState.UNSYNCED, watcher.nextRevision());
    }
  }

  /** The ring no longer has what follows the dispatched revision; goes on from {@code revision}. */
  void loseLive(long revision) {
    long from = dispatched + 1;
    dispatchedTo(Math.max(dispatched, revision));
    for (Watcher watcher : index.members()) {
      long next = Math.max(watcher.nextRevision(), from);
      if (next <= dispatched) {
        settle(watcher, next);
      }
    }
  }

  /** Ends a watcher for its client's sake. */
  void end(Watcher watcher) {
    if (watcher.active()) {
      move(watcher, WatcherState.ENDED, watcher.nextRevision());
    }
  }

  /** Ends a watcher that needs a compacted revision; tells its client, exactly once. */
  void endCompacted(Watcher watcher) {
    Invariants.check(watcher.state != WatcherState.ENDED || watcher.unplaced(), "I7: ended twice");
    move(watcher, WatcherState.ENDED, watcher.nextRevision());
    counters.compactCancels.increment();
    watcher
        .stream
        .outbox()
        .compacted(
            watcher.queue(), new WatchMessage.Compacted(watcher.id, compacted, history.revision()));
  }

  private void move(Watcher watcher, WatcherState to, long next) {
    WatcherState from = watcher.state;
    leave(watcher);
    watcher.moveTo(next);
    watcher.job = null;
    watcher.place(to);
    counters.moved(from, to);
    watcher.stream.watchers.moved(watcher, from, to);
    enter(watcher);
  }

  private void leave(Watcher watcher) {
    switch (watcher.state) {
      case SYNCED -> leaveIndex(watcher);
      case UNSYNCED, VICTIM -> lagging.remove(watcher);
      case ENDED -> {}
    }
  }

  private void enter(Watcher watcher) {
    switch (watcher.state) {
      case SYNCED -> {
        InterestGroup<Watcher> group = index.group(watcher.spec);
        watcher.group = group;
        watcher.slot = group.add(watcher);
      }
      case UNSYNCED -> lagging.add(watcher, true);
      case VICTIM -> lagging.add(watcher, false);
      case ENDED -> {}
    }
  }

  /** The last member takes the freed slot, so that leaving costs the same in any group. */
  private void leaveIndex(Watcher watcher) {
    InterestGroup<Watcher> group = watcher.group;
    if (group == null) {
      return;
    }
    Watcher last = group.removeLast();
    if (last != watcher) {
      group.set(watcher.slot, last);
      last.slot = watcher.slot;
    }
    watcher.group = null;
    index.dropIfEmpty(group);
  }
}
