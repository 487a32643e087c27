package io.tidemark.watch;

import java.util.List;

/**
 * Brings lagging watchers back to the present. Those within {@link #NEAR_REVISIONS} of it are read
 * for inside the dispatcher's turn, so that they go live with nothing missed and nothing repeated;
 * the others by the cursor threads, stretch by stretch, in the order in which they got in line.
 *
 * <p>Thread: dispatcher.
 */
final class CatchUps {
  private static final long NEAR_REVISIONS = 256;

  /** Watchers this far around the first in line are read for together. */
  private static final long GROUP_REVISIONS = 4_096;

  private static final int GROUP_WATCHERS_MAX = 8_192;

  /** What catching up works with. */
  record Work(RevisionRing ring, History history, WatchLimits limits, WatchCounters counters) {}

  private final Roster roster;
  private final Delivery delivery;
  private final Work work;
  private final CursorHandoff handoff;
  private final Runnable onHanded;
  private int jobs;

  CatchUps(Roster roster, Delivery delivery, Work work, CursorHandoff handoff, Runnable onHanded) {
    this.roster = roster;
    this.delivery = delivery;
    this.work = work;
    this.handoff = handoff;
    this.onHanded = onHanded;
  }

  /** Starts what can be started now. */
  int start() {
    LaggingWatchers lagging = roster.lagging();
    if (lagging.first() == null) {
      return 0;
    }
    return startNear(lagging) + startFar(lagging);
  }

  private int startNear(LaggingWatchers lagging) {
    long near = Math.max(1, roster.dispatched() + 1 - NEAR_REVISIONS);
    // Only as far back as the ring still reaches: the dispatcher never reads the disk.
    while (near <= roster.dispatched() && work.ring().get(near) == null) {
      near++;
    }
    if (lagging.highestReadyCursor() < near) {
      return 0;
    }
    CatchUp job = job(lagging.take(near, Long.MAX_VALUE, GROUP_WATCHERS_MAX));
    job.run();
    complete(job);
    return 1;
  }

  private int startFar(LaggingWatchers lagging) {
    int started = 0;
    while (jobs < handoff.jobsMax()) {
      Watcher first = lagging.first();
      if (first == null) {
        break;
      }
      long cursor = first.nextRevision();
      long lowest = Math.max(1, cursor - GROUP_REVISIONS);
      CatchUp job = job(lagging.take(lowest, cursor + GROUP_REVISIONS, GROUP_WATCHERS_MAX));
      jobs++;
      handoff.hand(job);
      onHanded.run();
      started++;
    }
    return started;
  }

  /** Takes in what the cursor threads finished. */
  int finish() {
    int finished = 0;
    for (CatchUp job = handoff.finished(); job != null; job = handoff.finished()) {
      jobs--;
      complete(job);
      finished++;
    }
    return finished;
  }

  private CatchUp job(List<Watcher> watchers) {
    CatchUp job = new CatchUp(watchers, work);
    for (Watcher watcher : watchers) {
      watcher.job = job;
    }
    return job;
  }

  private void complete(CatchUp job) {
    RuntimeException failure = job.failure();
    if (failure != null) {
      throw failure;
    }
    roster.compact(job.compactedBelow());
    List<Watcher> watchers = job.watchers();
    for (int i = 0; i < watchers.size(); i++) {
      Watcher watcher = watchers.get(i);
      if (watcher.job == job) { // else it ended meanwhile
        complete(watcher, job.events(i), job.covered());
      }
    }
  }

  private void complete(Watcher watcher, List<EncodedEvent> events, long covered) {
    long next = Math.max(watcher.nextRevision(), covered + 1);
    if (events.isEmpty()) {
      roster.settle(watcher, next);
      return;
    }
    if (!delivery.offer(watcher, events, covered)) {
      roster.park(watcher, watcher.nextRevision());
      return;
    }
    watcher.readyFrom(covered);
    watcher.stream.watchers.ready(watcher);
    roster.settle(watcher, next);
  }
}
