package io.tidemark.server;

import io.tidemark.clusterconfig.MemberIds;
import io.tidemark.raftcore.RaftStatus;
import io.tidemark.raftcore.lease.LeaseCounters;
import io.tidemark.server.access.Replica;
import io.tidemark.server.metrics.Families;
import io.tidemark.watch.WatchGauges;

/** The state of a member as metrics under etcd's names. Any thread. */
final class MemberGauges {
  private final Replica replica;
  private final TidemarkVersion version;
  private final long quotaBytes;

  MemberGauges(Replica replica, TidemarkVersion version, long quotaBytes) {
    this.replica = replica;
    this.version = version;
    this.quotaBytes = quotaBytes;
  }

  void addTo(Families lines) {
    RaftStatus status = replica.status();
    WatchGauges watch = replica.watch().gauges();
    lines.gauge("etcd_server_has_leader", status.leaderId() == 0 ? 0 : 1);
    lines.gauge("etcd_server_is_leader", status.leaderId() == status.memberId() ? 1 : 0);
    lines.gauge("etcd_server_is_learner", status.isLearner() ? 1 : 0);
    lines.gauge("etcd_server_id{server_id=\"" + MemberIds.hex(status.memberId()) + "\"}", 1);
    lines.gauge("etcd_server_version{server_version=\"" + version.server() + "\"}", 1);
    lines.gauge(
        "etcd_cluster_version{cluster_version=\""
            + version.cluster().replaceFirst("\\.0$", "")
            + "\"}",
        1);
    lines.gauge("etcd_server_proposals_committed_total", status.commitIndex());
    lines.gauge("etcd_server_proposals_applied_total", status.appliedIndex());
    lines.gauge("etcd_server_quota_backend_bytes", quotaBytes);
    lines.gauge("etcd_mvcc_db_total_size_in_bytes", status.dbSize());
    lines.gauge("etcd_mvcc_db_total_size_in_use_in_bytes", status.dbSizeInUse());
    lines.gauge("etcd_debugging_mvcc_current_revision", status.appliedRevision());
    lines.gauge("etcd_debugging_mvcc_compact_revision", replica.compactRevision());
    lines.gauge("etcd_debugging_mvcc_watch_stream_total", watch.streams());
    lines.gauge("etcd_debugging_mvcc_watcher_total", watch.watchers());
    lines.gauge("etcd_debugging_mvcc_slow_watcher_total", watch.unsynced() + watch.victims());
    lines.gauge("etcd_debugging_mvcc_pending_events_total", watch.pendingEvents());
    lines.counter("etcd_debugging_mvcc_events_total", watch.events());
    LeaseCounters leases = replica.leaseCounters();
    lines.counter("etcd_debugging_lease_granted_total", leases.granted());
    lines.counter("etcd_debugging_lease_revoked_total", leases.revoked());
    lines.counter("etcd_debugging_lease_renewed_total", leases.renewed());
    lines.counter("etcd_debugging_server_lease_expired_total", leases.expired());
    lines.gauge("etcd_debugging_auth_revision", replica.authority().state().revision());
    lines.gauge("tidemark_applied_revision", status.appliedRevision());
    lines.gauge("tidemark_leader_commit_index", status.leaderCommitHeard());
    lines.gauge("tidemark_leader_commit_age_milliseconds", status.leaderCommitAge().toMillis());
    lines.gauge("tidemark_watch_synced_watchers", watch.synced());
    lines.gauge("tidemark_watch_unsynced_watchers", watch.unsynced());
    lines.gauge("tidemark_watch_victims", watch.victims());
    lines.gauge("tidemark_watch_queued_bytes", watch.queuedBytes());
    lines.gauge("tidemark_watch_ring_revisions", watch.ringRevisions());
    lines.gauge("tidemark_watch_ring_bytes", watch.ringBytes());
    lines.gauge("tidemark_watch_dispatched_revision", status.dispatchedRevision());
    lines.counter("tidemark_watch_compact_cancels_total", watch.compactCancels());
    lines.counter("tidemark_watch_overflows_total", watch.overflows());
    lines.counter("tidemark_watch_disk_revisions_total", watch.diskRevisions());
    lines.counter("tidemark_watch_progress_answered_total", watch.progressAnswered());
    lines.counter("tidemark_watch_progress_silent_total", watch.progressSilent());
  }
}
