package io.tidemark.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Watchers behind the dispatcher, ordered by cursor, so that a compaction finds those it ends
 * without visiting the others. Those ready to be read for also stand in line, first come first
 * served.
 *
 * <p>Thread: dispatcher. A watcher's cursor must not move while it is in here.
 */
final class LaggingWatchers {
  private static final Comparator<Watcher> BY_CURSOR =
      Comparator.comparingLong(Watcher::nextRevision).thenComparingLong(watcher -> watcher.serial);

  private final TreeSet<Watcher> all = new TreeSet<>(BY_CURSOR);
  private final TreeMap<Long, Set<Watcher>> readyByCursor = new TreeMap<>();
  private final LinkedHashSet<Watcher> line = new LinkedHashSet<>();

  void add(Watcher watcher, boolean ready) {
    all.add(watcher);
    if (ready) {
      line.add(watcher);
      readyByCursor
          .computeIfAbsent(watcher.nextRevision(), cursor -> new LinkedHashSet<>(2))
          .add(watcher);
    }
  }

  void remove(Watcher watcher) {
    all.remove(watcher);
    if (line.remove(watcher)) {
      removeReady(watcher);
    }
  }

  /** Watchers that still need a revision below this one. */
  List<Watcher> below(long revision) {
    List<Watcher> found = new ArrayList<>();
    for (Watcher watcher : all) {
      if (watcher.nextRevision() >= revision) {
        break;
      }
      found.add(watcher);
    }
    return found;
  }

  /** Those with the oldest cursors, oldest first. */
  List<SlowWatcher> slowest(int max) {
    return all.stream().limit(max).map(SlowWatcher::of).toList();
  }

  /** The watcher that waits longest, or null when none is ready. */
  @Nullable Watcher first() {
    return line.isEmpty() ? null : line.iterator().next();
  }

  /** The cursor nearest to the present among the ready ones; 0 when none is ready. */
  long highestReadyCursor() {
    return readyByCursor.isEmpty() ? 0 : readyByCursor.lastKey();
  }

  /** Takes ready watchers out of the line, with cursors between the two, lowest first. */
  List<Watcher> take(long lowest, long highest, int max) {
    List<Watcher> taken = new ArrayList<>();
    for (Set<Watcher> sameCursor : readyByCursor.subMap(lowest, true, highest, true).values()) {
      for (Watcher watcher : sameCursor) {
        if (taken.size() < max) {
          taken.add(watcher);
        }
      }
    }
    for (Watcher watcher : taken) {
      line.remove(watcher);
      removeReady(watcher);
    }
    return taken;
  }

  private void removeReady(Watcher watcher) {
    Set<Watcher> sameCursor = readyByCursor.get(watcher.nextRevision());
    if (sameCursor != null) {
      sameCursor.remove(watcher);
      if (sameCursor.isEmpty()) {
        readyByCursor.remove(watcher.nextRevision());
      }
    }
  }
}
