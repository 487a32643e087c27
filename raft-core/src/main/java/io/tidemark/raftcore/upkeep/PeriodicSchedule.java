package io.tidemark.raftcore.upkeep;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * Keeps what is younger than a period. The revision is noted ten times in a period, or in an hour
 * if that is shorter, and what is compacted to is the oldest note, which is one period old and up
 * to a tenth more. Compacts once in a period, at least hourly, the first time after a whole period.
 *
 * <p>A member notes revisions whether it leads or not, so that one which takes over goes on at
 * once.
 */
final class PeriodicSchedule implements CompactionSchedule {
  private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);
  private static final int LOOKS = 10;
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

  private final Duration interval;
  private final Duration pause;
  private final int notesKept;
  private final Deque<Long> notes = new ArrayDeque<>();
  private Duration wait;
  private long lastDone;
  private long lastRevision;

  PeriodicSchedule(Duration period, long now, long revision) {
    this.interval = period.compareTo(LONGEST_INTERVAL) < 0 ? period : LONGEST_INTERVAL;
    Duration tenth = interval.dividedBy(LOOKS);
    this.pause = tenth.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : tenth;
    this.notesKept = (int) Math.min(Integer.MAX_VALUE - 1, period.dividedBy(pause)) + 1;
    this.wait = period;
    this.lastDone = now;
    notes.add(revision);
  }

  @Override
  public Duration pause() {
    return pause;
  }

  @Override
  public OptionalLong look(long now, long revision, boolean leads) {
    long oldest = notes.getFirst();
    notes.addLast(revision);
    if (notes.size() > notesKept) {
      notes.removeFirst();
    }
    boolean early = now - lastDone < wait.toNanos();
    return !leads || early || oldest == lastRevision
        ? OptionalLong.empty()
        : OptionalLong.of(oldest);
  }

  @Override
  public void done(long now, long revision) {
    wait = interval;
    lastDone = now;
    lastRevision = revision;
  }
}
