package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.StatusResponse;
import org.jspecify.annotations.Nullable;

/**
 * What one endpoint said of itself.
 *
 * @param endpoint as the user wrote it
 * @param status its answer to Status
 * @param lag how far it is behind; null when the member does not tell
 */
record EndpointStatus(String endpoint, StatusResponse status, @Nullable Lag lag) {

  /**
   * Distance between what the leader had committed when last heard and what this member has
   * applied.
   *
   * @param entries log entries
   * @param ageMillis time since the leader was last heard
   */
  record Lag(long entries, long ageMillis) {}

  boolean isLeader() {
    return status.getLeader() != 0 && status.getLeader() == status.getHeader().getMemberId();
  }

  /** Share of the database that a defragmentation would give back, in percent. */
  long unusedPercent() {
    return status.getDbSize() == 0 ? 0 : 100 - status.getDbSizeInUse() * 100 / status.getDbSize();
  }
}
