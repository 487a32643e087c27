package io.tidemark.server.access;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.DowngradeInfo;
import io.tidemark.api.tidemarkpb.MemberView;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.RaftStatus;
import io.tidemark.raftcore.lease.KeepAliveResult;
import io.tidemark.raftcore.lease.LeaseCounters;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.raftcore.ratis.LeadershipMove;
import io.tidemark.raftcore.read.BarrierResult;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.alarm.Alarms;
import io.tidemark.statemachine.auth.Authority;
import io.tidemark.statemachine.member.MemberChange;
import io.tidemark.watch.WatchableStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** This member's copy of the data and its way into the log. Any thread; nothing here blocks. */
public interface Replica {
  /** Never completes exceptionally; keeps its own deadline. */
  CompletableFuture<ProposalResult> propose(Command command);

  /** Why the leader forbids a change of the members now, or nothing. Never exceptional. */
  CompletableFuture<Optional<EtcdError>> permit(MemberChange change);

  /**
   * Whether an applied change of the members came into force: false after the request timeout.
   * Never completes exceptionally.
   */
  CompletableFuture<Boolean> inForce(MemberChange change);

  /** When it has passed, {@link #view} shows everything that was acknowledged before the call. */
  CompletableFuture<BarrierResult> readBarrier();

  /** Whether this member has no vote. Cheap: asked with every call. */
  boolean isLearner();

  /** Renews a lease, whoever leads. Never completes exceptionally; keeps its own deadline. */
  CompletableFuture<KeepAliveResult> keepAlive(long leaseId);

  /** The lease clock in milliseconds, as far as this member knows it. */
  long leaseClock();

  /** What this member has applied of leases. */
  LeaseCounters leaseCounters();

  /** The newest applied revision. */
  long revision();

  /** A snapshot of the newest applied state; the caller closes it. */
  ReadView view();

  WatchableStore watch();

  /** What this member knows of users and roles. */
  Authority authority();

  RaftStatus status();

  /**
   * Every member with what it says of itself now, or without where it doesn't answer in a second.
   * Never completes exceptionally.
   */
  CompletableFuture<List<MemberView>> everyone();

  /** Bytes that the store has allocated; never 0. */
  long dbSize();

  /** The alarms that are raised. */
  Alarms alarms();

  /** Whether the cluster is to go back to an older version, and to which. */
  DowngradeInfo downgrade();

  /** Revision up to which this member's history was given up; -1 = none. */
  long compactRevision();

  /** Completes when nothing that a compaction made superfluous is left on this member's disk. */
  CompletableFuture<Void> physicalCompaction(long revision);

  /** Gives leadership away, if this member has it. Never completes exceptionally. */
  CompletableFuture<LeadershipMove> moveLeadership(long targetId);
}
