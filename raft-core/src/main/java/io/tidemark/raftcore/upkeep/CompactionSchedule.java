package io.tidemark.raftcore.upkeep;

import io.tidemark.raftcore.settings.UpkeepSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * When history is given up, and how much (contract section 4). Times are nanoseconds of one clock
 * that never goes back.
 */
public sealed interface CompactionSchedule permits PeriodicSchedule, RevisionSchedule {
  /** The schedule that was configured, or nothing. */
  static Optional<CompactionSchedule> of(UpkeepSettings settings, long now, long revision) {
    if (!settings.keptTime().isZero()) {
      return Optional.of(new PeriodicSchedule(settings.keptTime(), now, revision));
    }
    return settings.keptRevisions() > 0
        ? Optional.of(new RevisionSchedule(settings.keptRevisions()))
        : Optional.empty();
  }

  /** The time between two looks. */
  Duration pause();

  /**
   * Looks, on any member and in every case, once in a {@link #pause}.
   *
   * @param revision the newest one
   * @param leads whether this member may compact
   * @return the revision below which history is to be given up now
   */
  OptionalLong look(long now, long revision, boolean leads);

  /** A compaction that {@link #look} asked for is done, by this member or earlier by another. */
  void done(long now, long revision);
}
