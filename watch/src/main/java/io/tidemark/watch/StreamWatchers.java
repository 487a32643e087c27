package io.tidemark.watch;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The watchers of one stream. Thread: dispatcher. */
final class StreamWatchers {
  /** Never handed out: it is the id of failures and of progress for the whole stream. */
  private static final long RESERVED_ID = -1;

  private final WatcherTable byId = new WatcherTable();
  private final Set<Watcher> notified = new LinkedHashSet<>(2);
  private final Set<Watcher> victims = new LinkedHashSet<>(2);

  private long nextId;
  private int active;
  private int synced;

  /** Highest revision a created message of this stream named. */
  private long createdRevision;

  /** Upper bound of the watchers' ready revisions; exact unless {@link #readyStale}. */
  private long readyRevision;

  private boolean readyStale;
  private long ownProgressNotBefore = Long.MIN_VALUE;

  /** An unused id for a client that didn't choose one. */
  long freeId() {
    while (byId.contains(nextId) || nextId == RESERVED_ID) {
      nextId++;
    }
    return nextId++;
  }

  boolean used(long id) {
    return byId.contains(id) || id == RESERVED_ID;
  }

  void add(Watcher watcher, long revision) {
    byId.put(watcher);
    createdAt(revision);
    if (watcher.spec.progressNotify()) {
      notified.add(watcher);
    }
    ready(watcher);
  }

  /** Remembers the revision of a created message, which no progress may undercut. */
  void createdAt(long revision) {
    createdRevision = Math.max(createdRevision, revision);
  }

  @Nullable Watcher remove(long id) {
    return byId.remove(id);
  }

  void ready(Watcher watcher) {
    readyRevision = Math.max(readyRevision, watcher.readyRevision());
  }

  /** Keeps the counts while a watcher changes its state. */
  void moved(Watcher watcher, WatcherState from, WatcherState to) {
    active += one(to != WatcherState.ENDED) - one(from != WatcherState.ENDED);
    synced += one(to == WatcherState.SYNCED) - one(from == WatcherState.SYNCED);
    if (from == WatcherState.VICTIM) {
      victims.remove(watcher);
    }
    if (to == WatcherState.VICTIM) {
      victims.add(watcher);
    }
    if (to == WatcherState.ENDED) {
      notified.remove(watcher);
      readyStale |= watcher.readyRevision() >= readyRevision;
    }
  }

  int active() {
    return active;
  }

  /** Whether one answer can speak for every watcher of the stream. */
  boolean progressHolds(long dispatched) {
    if (synced != active || dispatched < createdRevision) {
      return false;
    }
    if (dispatched < readyRevision && readyStale) {
      readyRevision = 0;
      readyStale = false;
      byId.forEach(
          watcher -> {
            if (watcher.active()) {
              ready(watcher);
            }
          });
    }
    return dispatched >= readyRevision;
  }

  /** Takes the turn for answers by single watchers, which come at most once per {@code pause}. */
  boolean takeOwnProgressTurn(long now, long pause) {
    if (now < ownProgressNotBefore) {
      return false;
    }
    ownProgressNotBefore = now + pause;
    return true;
  }

  void forEach(Consumer<Watcher> visitor) {
    byId.forEach(visitor);
  }

  /** Watchers that asked for progress notifications. */
  Set<Watcher> notified() {
    return notified;
  }

  /** A copy, as the caller changes their state. */
  List<Watcher> victims() {
    return List.copyOf(victims);
  }

  private static int one(boolean condition) {
    return condition ? 1 : 0;
  }
}
