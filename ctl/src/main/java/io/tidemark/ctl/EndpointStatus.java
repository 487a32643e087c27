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
   * How far a member's own copy is, beside what the leader had committed when last heard. The
   * distance is worth only as much as that news is fresh.
   *
   * @param appliedRevision revision of its store
   * @param dispatchedRevision revision up to which its watchers were served
   * @param leaderCommit the leader's commit index as last heard
   * @param entries log entries from what it has applied to that index
   * @param ageMillis time since the leader was last heard
   */
  record Lag(
      long appliedRevision,
      long dispatchedRevision,
      long leaderCommit,
      long entries,
      long ageMillis) {}

  boolean isLeader() {
    return status.getLeader() != 0 && status.getLeader() == status.getHeader().getMemberId();
  }

  /** Share of the database that a defragmentation would give back, in percent. */
  long unusedPercent() {
    return status.getDbSize() == 0 ? 0 : 100 - status.getDbSizeInUse() * 100 / status.getDbSize();
  }
}
