package io.tidemark.watch;

import org.jspecify.annotations.Nullable;

/**
 * One watcher: a cursor and a share of its stream's queue. A reused watch id is another object, so
 * nothing of the old watcher can reach the new one.
 *
 * <p>Thread: dispatcher, but what is in {@link #queue()} belongs to the stream's outbox.
 */
final class Watcher {
  final WatchStream stream;
  final long id;
  final WatchSpec spec;

  /** Order of creation; tells watchers with equal cursors apart. */
  final long serial;

  /** Made when first needed: most watchers are idle. */
  private @Nullable WatcherQueue queue;

  /**
   * Everything below was queued. While the watcher is synced, the dispatched revision counts as
   * well: nobody visits all watchers on each revision.
   */
  private long nextRevision;

  /** Progress may be reported from this revision on. */
  private long readyRevision;

  /** A new watcher is nowhere yet, which counts like ended. */
  WatcherState state = WatcherState.ENDED;

  private boolean placed;

  /** The job that reads for this watcher now. */
  @Nullable CatchUp job;

  /** Place in the index while synced. */
  @Nullable InterestGroup<Watcher> group;

  int slot;

  /** Whether events were queued since the last progress tick. */
  boolean eventsSinceTick;

  Watcher(WatchStream stream, long id, WatchSpec spec, long serial, long nextRevision) {
    this.stream = stream;
    this.id = id;
    this.spec = spec;
    this.serial = serial;
    this.nextRevision = nextRevision;
  }

  WatcherQueue queue() {
    WatcherQueue made = queue;
    if (made == null) {
      made = new WatcherQueue(id);
      queue = made;
    }
    return made;
  }

  /** The queue, or null when nothing was ever queued. */
  @Nullable WatcherQueue queueIfMade() {
    return queue;
  }

  long nextRevision() {
    return nextRevision;
  }

  /** Moves the cursor, which never goes back (I1). */
  void moveTo(long next) {
    Invariants.atLeast(next, nextRevision, "I1: a cursor went back");
    nextRevision = next;
  }

  long readyRevision() {
    return readyRevision;
  }

  void readyFrom(long revision) {
    readyRevision = Math.max(readyRevision, revision);
  }

  /** Puts the watcher into a state; nothing leaves {@link WatcherState#ENDED} (I7). */
  void place(WatcherState to) {
    Invariants.check(state != WatcherState.ENDED || !placed, "I7: watcher %s came back", id);
    placed = true;
    state = to;
  }

  boolean unplaced() {
    return !placed;
  }

  boolean active() {
    return state != WatcherState.ENDED;
  }

  /** Whether a progress message of this revision is true for the watcher (I4). */
  boolean progressHolds(long dispatched) {
    return state == WatcherState.SYNCED && dispatched >= readyRevision;
  }
}
