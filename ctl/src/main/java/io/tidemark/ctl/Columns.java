package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.server.SnapshotRestore.FileStatus;
import java.time.Duration;
import java.util.List;

/** The columns that the formats simple and table share. Pure. */
final class Columns {
  static final List<String> MEMBER =
      List.of("ID", "Status", "Name", "Peer Addrs", "Client Addrs", "Is Learner");

  static final List<String> STATUS =
      List.of(
          "endpoint",
          "ID",
          "version",
          "storage version",
          "db size",
          "in use",
          "percentage not in use",
          "quota",
          "is leader",
          "is learner",
          "raft term",
          "raft index",
          "raft applied index",
          "errors",
          "downgrade target version",
          "downgrade enabled",
          "applied revision",
          "dispatched revision",
          "leader commit",
          "lag",
          "lag age");

  static final List<String> HEALTH = List.of("endpoint", "health", "took", "error");

  static final List<String> SNAPSHOT = List.of("hash", "revision", "total keys", "total size");

  private Columns() {}

  static List<String> of(FileStatus snapshot) {
    return List.of(
        Long.toHexString(snapshot.hash()),
        Long.toString(snapshot.revision()),
        Long.toString(snapshot.totalKeys()),
        GoText.size(snapshot.totalSize()));
  }

  static List<String> of(Member member) {
    return List.of(
        Long.toHexString(member.getID()),
        member.getName().isEmpty() ? "unstarted" : "started",
        member.getName(),
        String.join(",", member.getPeerURLsList()),
        String.join(",", member.getClientURLsList()),
        Boolean.toString(member.getIsLearner()));
  }

  static List<String> of(EndpointStatus endpoint) {
    StatusResponse status = endpoint.status();
    EndpointStatus.Lag lag = endpoint.lag();
    return List.of(
        endpoint.endpoint(),
        Long.toHexString(status.getHeader().getMemberId()),
        status.getVersion(),
        status.getStorageVersion(),
        GoText.size(status.getDbSize()),
        GoText.size(status.getDbSizeInUse()),
        endpoint.unusedPercent() + "%",
        GoText.size(status.getDbSizeQuota()),
        Boolean.toString(endpoint.isLeader()),
        Boolean.toString(status.getIsLearner()),
        Long.toUnsignedString(status.getRaftTerm()),
        Long.toUnsignedString(status.getRaftIndex()),
        Long.toUnsignedString(status.getRaftAppliedIndex()),
        String.join(", ", status.getErrorsList()),
        status.getDowngradeInfo().getTargetVersion(),
        Boolean.toString(status.getDowngradeInfo().getEnabled()),
        lag == null ? "" : Long.toString(lag.appliedRevision()),
        lag == null ? "" : Long.toString(lag.dispatchedRevision()),
        lag == null ? "" : Long.toString(lag.leaderCommit()),
        lag == null ? "" : Long.toString(lag.entries()),
        lag == null ? "" : GoText.duration(Duration.ofMillis(lag.ageMillis())));
  }

  static List<String> of(EndpointHealth health) {
    return List.of(
        health.endpoint(),
        Boolean.toString(health.healthy()),
        GoText.duration(health.took()),
        health.error());
  }
}
