package io.tidemark.raftcore.settings;

import java.time.Duration;

/**
 * What a member does of its own accord while it leads.
 *
 * @param keptTime history younger than this is kept, older one given up; zero for no limit of time
 * @param keptRevisions so many newest revisions are kept, older ones given up; 0 for no limit
 * @param compareAfterCompaction how often it is looked whether there was a compaction, after which
 *     members are compared; zero for never
 * @param comparePeriod how often members are compared whatever has happened; zero for never
 * @param promoteLearners whether learners that have caught up get their vote
 */
public record UpkeepSettings(
    Duration keptTime,
    long keptRevisions,
    Duration compareAfterCompaction,
    Duration comparePeriod,
    boolean promoteLearners) {
  /** Nothing. */
  public static final UpkeepSettings NONE =
      new UpkeepSettings(Duration.ZERO, 0, Duration.ZERO, Duration.ZERO, false);

  public UpkeepSettings {
    if (keptTime.isNegative()
        || keptRevisions < 0
        || compareAfterCompaction.isNegative()
        || comparePeriod.isNegative()) {
      throw new IllegalArgumentException("a negative time or number");
    }
    if (!keptTime.isZero() && keptRevisions != 0) {
      throw new IllegalArgumentException("history is kept by time or by revisions, not by both");
    }
  }

  /** These, with what is younger than a period kept. */
  public UpkeepSettings keeping(Duration time) {
    return new UpkeepSettings(time, 0, compareAfterCompaction, comparePeriod, promoteLearners);
  }

  /** These, with so many revisions kept. */
  public UpkeepSettings keeping(long revisions) {
    return new UpkeepSettings(
        Duration.ZERO, revisions, compareAfterCompaction, comparePeriod, promoteLearners);
  }

  /** These, with members compared after compactions, and now and then. */
  public UpkeepSettings comparing(Duration afterCompaction, Duration period) {
    return new UpkeepSettings(keptTime, keptRevisions, afterCompaction, period, promoteLearners);
  }

  /** These, with learners promoted once they have caught up. */
  public UpkeepSettings promotingLearners() {
    return new UpkeepSettings(keptTime, keptRevisions, compareAfterCompaction, comparePeriod, true);
  }
}
