package io.tidemark.raftcore.upkeep;

import java.time.Duration;
import java.util.OptionalLong;

/** Keeps so many newest revisions; looks every five minutes. */
final class RevisionSchedule implements CompactionSchedule {
  private static final Duration PAUSE = Duration.ofMinutes(5);

  private final long kept;
  private long lastRevision;

  RevisionSchedule(long kept) {
    this.kept = kept;
  }

  @Override
  public Duration pause() {
    return PAUSE;
  }

  @Override
  public OptionalLong look(long now, long revision, boolean leads) {
    long oldest = revision - kept;
    return !leads || oldest <= 0 || oldest == lastRevision
        ? OptionalLong.empty()
        : OptionalLong.of(oldest);
  }

  @Override
  public void done(long now, long revision) {
    lastRevision = revision;
  }
}
