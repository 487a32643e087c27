package io.tidemark.watch;

import io.tidemark.mvcc.RevisionBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stretch of the past once for a group of watchers with near cursors: from the ring if it
 * reaches back far enough, else from one snapshot of the store, held for this stretch only.
 *
 * <p>The stretch ends at a revision border when any watcher's list is full, when enough was read,
 * or at the newest revision. It is then covered for all watchers of the group alike.
 *
 * <p>Thread: made and read by the dispatcher; {@link #run()} by whoever it is handed to. Touches no
 * watcher.
 */
final class CatchUp {
  private static final int SCAN_REVISIONS_MAX = 16_384;
  private static final long SCAN_BYTES_MAX = 8L << 20;

  private final RevisionRing ring;
  private final History history;
  private final WatchLimits limits;
  private final WatchCounters counters;
  private final List<Watcher> watchers;
  private final long[] cursors;
  private final List<EventRun> lists = new ArrayList<>();
  private final WatcherIndex<Watcher> index = new WatcherIndex<>();
  private final Map<InterestGroup<Watcher>, EventRun> listOf = new HashMap<>();
  private boolean previousWanted;
  private int scannedRevisions;
  private long scannedBytes;
  private long covered;
  private long compactedBelow;
  private @Nullable RuntimeException failure;

  CatchUp(List<Watcher> watchers, CatchUps.Work work) {
    this.watchers = watchers;
    this.ring = work.ring();
    this.history = work.history();
    this.limits = work.limits();
    this.counters = work.counters();
    this.cursors = watchers.stream().mapToLong(Watcher::nextRevision).toArray();
  }

  List<Watcher> watchers() {
    return watchers;
  }

  /** Everything up to here is in the lists. */
  long covered() {
    return covered;
  }

  /** Watchers with a cursor below this revision came too late; 0 when there is none. */
  long compactedBelow() {
    return compactedBelow;
  }

  @Nullable RuntimeException failure() {
    return failure;
  }

  /** What one watcher gets; its cursor must be where it was. */
  List<EncodedEvent> events(int watcher) {
    return lists.get(watcher).from(cursors[watcher]);
  }

  /** Reads. A failure is kept for the dispatcher. */
  void run() {
    try {
      read();
    } catch (RuntimeException broken) {
      failure = broken;
    }
  }

  private void read() {
    long from = Long.MAX_VALUE;
    for (int i = 0; i < cursors.length; i++) {
      WatchSpec spec = watchers.get(i).spec;
      EventRun list = listOf.computeIfAbsent(index.group(spec), group -> new EventRun());
      list.member(cursors[i]);
      lists.add(list);
      previousWanted |= spec.prevKv();
      from = Math.min(from, cursors[i]);
    }
    covered = from - 1;
    if (ring.get(from) != null) {
      readRing(from);
    } else {
      readStore(from);
    }
  }

  private void readRing(long from) {
    RevisionBatch batch = ring.get(from);
    while (batch != null && accept(batch)) {
      covered = batch.revision();
      batch = ring.get(covered + 1);
    }
  }

  /** The order matters: the compact revision is that of the snapshot that is read. */
  private void readStore(long from) {
    try (History.Snapshot snapshot = history.open()) {
      long first = from;
      if (from < snapshot.compactRevision()) {
        compactedBelow = snapshot.compactRevision();
        first = lowestCursorFrom(compactedBelow);
      }
      if (first > snapshot.revision()) {
        return;
      }
      covered = first - 1;
      try (History.Batches batches = snapshot.from(first, previousWanted)) {
        RevisionBatch batch = batches.next();
        while (batch != null && accept(batch)) {
          counters.diskRevisions.increment();
          covered = batch.revision();
          batch = batches.next();
        }
        if (batch == null) {
          covered = Math.max(covered, snapshot.revision());
        }
      }
    }
  }

  private long lowestCursorFrom(long bound) {
    long lowest = Long.MAX_VALUE;
    for (long cursor : cursors) {
      lowest = cursor >= bound ? Math.min(lowest, cursor) : lowest;
    }
    return lowest;
  }

  /** Adds a whole revision to the lists, or nothing when the stretch ends before it. */
  private boolean accept(RevisionBatch batch) {
    if (scannedRevisions > 0
        && (scannedRevisions >= SCAN_REVISIONS_MAX
            || scannedBytes + batch.bytes() > SCAN_BYTES_MAX)) {
      return false;
    }
    List<InterestGroup<Watcher>> touched = index.match(new BatchEvents(batch));
    boolean fits = true;
    for (InterestGroup<Watcher> group : touched) {
      EventRun list = list(group);
      fits &= !list.wants(batch.revision()) || list.fits(group.pendingBytes(), limits);
    }
    for (InterestGroup<Watcher> group : touched) {
      long bytes = group.pendingBytes();
      List<EncodedEvent> events = group.takePending();
      EventRun list = list(group);
      if (fits && list.wants(batch.revision())) {
        list.add(events, bytes);
      }
    }
    if (fits) {
      scannedRevisions++;
      scannedBytes += batch.bytes();
    }
    return fits;
  }

  private EventRun list(InterestGroup<Watcher> group) {
    return Objects.requireNonNull(listOf.get(group));
  }
}
