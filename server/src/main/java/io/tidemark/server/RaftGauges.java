package io.tidemark.server;

import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.clusterconfig.MemberIds;
import io.tidemark.raftcore.RaftMember;
import io.tidemark.raftcore.metrics.PeerTraffic;
import io.tidemark.raftcore.metrics.WriteMetrics;
import io.tidemark.raftcore.propose.Waiting;
import io.tidemark.raftcore.read.ReadBarriers;
import io.tidemark.server.metrics.Families;
import io.tidemark.server.rpc.SlowCalls;

/**
 * What a member's log, writes, barriers and peers say, as metrics under etcd's names. Any thread.
 */
final class RaftGauges {
  private final RaftMember raft;
  private final SlowCalls slow;

  RaftGauges(RaftMember raft, SlowCalls slow) {
    this.raft = raft;
    this.slow = slow;
  }

  void addTo(Families lines) {
    WriteMetrics writes = raft.writeMetrics();
    lines.counter("etcd_server_leader_changes_seen_total", (double) raft.leaderChanges());
    Waiting waiting = raft.waiting();
    lines.gauge("etcd_server_proposals_pending", waiting.commands());
    lines.counter("etcd_server_proposals_failed_total", (double) writes.failed());
    lines.counter(
        "etcd_server_slow_apply_total", (double) (writes.slowApplies() + slow.slowReads()));
    ReadBarriers barriers = raft.barriers();
    lines.counter("etcd_server_slow_read_indexes_total", (double) barriers.slow());
    lines.counter("etcd_server_read_indexes_failed_total", (double) barriers.failed());
    lines.gauge("tidemark_write_queued_bytes", (double) waiting.queuedBytes());
    String self = MemberIds.hex(raft.status().memberId());
    for (AlarmType type : new AlarmType[] {AlarmType.NOSPACE, AlarmType.CORRUPT}) {
      lines.gauge(
          "etcd_debugging_server_alarms{server_id=\"" + self + "\",alarm_type=\"" + type + "\"}",
          raft.alarms().raised(type) ? 1 : 0);
    }
    PeerTraffic traffic = raft.traffic();
    for (String id : traffic.ids()) {
      PeerTraffic.Peer peer = traffic.peer(id);
      String to = "{To=\"" + id + "\"}";
      lines.counter("etcd_network_peer_sent_bytes_total" + to, (double) peer.sentBytes());
      lines.counter("etcd_network_peer_sent_failures_total" + to, (double) peer.failures());
      lines.counter(
          "etcd_network_peer_received_bytes_total{From=\"" + id + "\"}",
          (double) peer.receivedBytes());
    }
  }
}
