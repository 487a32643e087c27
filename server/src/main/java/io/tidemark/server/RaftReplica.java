package io.tidemark.server;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.DowngradeInfo;
import io.tidemark.api.tidemarkpb.MemberView;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.RaftMember;
import io.tidemark.raftcore.RaftStatus;
import io.tidemark.raftcore.lease.KeepAliveResult;
import io.tidemark.raftcore.lease.LeaseCounters;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.raftcore.ratis.LeadershipMove;
import io.tidemark.raftcore.read.BarrierResult;
import io.tidemark.server.access.Replica;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.alarm.Alarms;
import io.tidemark.statemachine.auth.Authority;
import io.tidemark.statemachine.member.MemberChange;
import io.tidemark.watch.WatchableStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The services' port, over a member of a Raft cluster. */
record RaftReplica(RaftMember member) implements Replica {
  @Override
  public CompletableFuture<ProposalResult> propose(Command command) {
    return member.propose(command);
  }

  @Override
  public CompletableFuture<Optional<EtcdError>> permit(MemberChange change) {
    return member.permit(change);
  }

  @Override
  public CompletableFuture<Boolean> inForce(MemberChange change) {
    return member.inForce(change);
  }

  @Override
  public boolean isLearner() {
    return member.isLearner();
  }

  @Override
  public CompletableFuture<BarrierResult> readBarrier() {
    return member.readBarrier();
  }

  @Override
  public CompletableFuture<KeepAliveResult> keepAlive(long leaseId) {
    return member.keepAlive(leaseId);
  }

  @Override
  public long leaseClock() {
    return member.leaseClock();
  }

  @Override
  public LeaseCounters leaseCounters() {
    return member.leaseCounters();
  }

  @Override
  public long revision() {
    return member.revision();
  }

  @Override
  public ReadView view() {
    return member.view();
  }

  @Override
  public WatchableStore watch() {
    return member.watch();
  }

  @Override
  public Authority authority() {
    return member.authority();
  }

  @Override
  public RaftStatus status() {
    return member.status();
  }

  @Override
  public long dbSize() {
    return member.dbSize();
  }

  @Override
  public Alarms alarms() {
    return member.alarms();
  }

  @Override
  public DowngradeInfo downgrade() {
    return member.downgrade();
  }

  @Override
  public long compactRevision() {
    return member.compactRevision();
  }

  @Override
  public CompletableFuture<Void> physicalCompaction(long revision) {
    return member.physicalCompaction(revision);
  }

  @Override
  public CompletableFuture<List<MemberView>> everyone() {
    return member.everyone();
  }

  @Override
  public CompletableFuture<LeadershipMove> moveLeadership(long targetId) {
    return member.moveLeadership(targetId);
  }
}
