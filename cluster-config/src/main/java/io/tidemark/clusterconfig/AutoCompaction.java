package io.tidemark.clusterconfig;

import java.time.Duration;

/**
 * Automatic compaction of history.
 *
 * @param mode what the retention counts
 * @param retentionRevisions revisions kept in mode {@code REVISION}; 0 otherwise or when off
 * @param retentionPeriod time kept in mode {@code PERIODIC}; zero otherwise or when off
 */
public record AutoCompaction(Mode mode, long retentionRevisions, Duration retentionPeriod) {

  /** The values of {@code --auto-compaction-mode}. */
  public enum Mode {
    PERIODIC,
    REVISION
  }

  /** Whether anything is compacted automatically. */
  public boolean enabled() {
    return retentionRevisions > 0 || !retentionPeriod.isZero();
  }
}
