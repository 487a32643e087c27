package io.tidemark.watch;

import io.tidemark.mvcc.RevisionBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands new revisions to the synced watchers, in order. What arrived since the last turn is matched
 * first and then handed over as one list for each watcher, so that under load a watcher costs one
 * message per turn and not one per revision; when nothing waits, a turn is one revision.
 *
 * <p>Thread: dispatcher.
 */
final class LiveTurn {
  private static final int REVISIONS_MAX = 64;

  private final RevisionRing ring;
  private final Roster roster;
  private final Delivery delivery;
  private final WatchLimits limits;
  private final List<InterestGroup<Watcher>> touched = new ArrayList<>();

  LiveTurn(RevisionRing ring, Roster roster, Delivery delivery, WatchLimits limits) {
    this.ring = ring;
    this.roster = roster;
    this.delivery = delivery;
    this.limits = limits;
  }

  /** One bounded turn; says how many revisions were dispatched. */
  int run() {
    long from = roster.dispatched() + 1;
    long newest = ring.newest();
    if (from > newest) {
      return 0;
    }
    long covered = collect(from, newest);
    if (covered < from) {
      // Evicted before it was read, or a snapshot brought it: the store has it.
      roster.loseLive(newest);
      return 1;
    }
    for (InterestGroup<Watcher> group : touched) {
      hand(group, covered);
    }
    touched.clear();
    roster.dispatchedTo(covered);
    return (int) (covered - from + 1);
  }

  /** Matches what fits into one turn; the last revision of it. */
  private long collect(long from, long newest) {
    int revisionsMax = Math.min(REVISIONS_MAX, limits.listRevisionsMax());
    long last = Math.min(newest, from + revisionsMax - 1);
    long bytes = 0;
    long revision = from;
    while (revision <= last) {
      RevisionBatch batch = ring.get(revision);
      if (batch == null) {
        break;
      }
      bytes += batch.bytes();
      if (revision > from && bytes > limits.listBytesMax()) {
        break;
      }
      collect(batch);
      revision++;
    }
    return revision - 1;
  }

  private void collect(RevisionBatch batch) {
    for (InterestGroup<Watcher> group : roster.index().match(new BatchEvents(batch))) {
      EventRun run = group.turn;
      if (run == null) {
        run = new EventRun();
        group.turn = run;
        touched.add(group);
      }
      long bytes = group.pendingBytes();
      run.add(group.takePending(), bytes);
    }
  }

  private void hand(InterestGroup<Watcher> group, long covered) {
    EventRun run = group.turn;
    group.turn = null;
    if (run == null) {
      return;
    }
    // Backwards, as a member that leaves is replaced by the last one.
    for (int i = group.size() - 1; i >= 0; i--) {
      Watcher watcher = group.member(i);
      List<EncodedEvent> events = run.from(watcher.nextRevision());
      if (events.isEmpty()) {
        continue;
      }
      if (delivery.offer(watcher, events, covered)) {
        watcher.moveTo(covered + 1);
      } else {
        // Nothing before the first of them is wanted.
        roster.park(watcher, events.get(0).revision());
      }
    }
  }
}
