package io.tidemark.raftcore;

import com.codahale.metrics.MetricRegistry;
import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.DowngradeInfo;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.tidemarkpb.MemberView;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.lease.KeepAliveResult;
import io.tidemark.raftcore.lease.LeaseClock;
import io.tidemark.raftcore.lease.LeaseCounters;
import io.tidemark.raftcore.metrics.PeerTraffic;
import io.tidemark.raftcore.metrics.TidemarkMetricRegistries;
import io.tidemark.raftcore.metrics.WriteMetrics;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.raftcore.propose.Waiting;
import io.tidemark.raftcore.ratis.LeadershipMove;
import io.tidemark.raftcore.ratis.RatisNode;
import io.tidemark.raftcore.read.BarrierResult;
import io.tidemark.raftcore.read.ReadBarriers;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.raftcore.settings.Surroundings;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.alarm.Alarms;
import io.tidemark.statemachine.auth.Authority;
import io.tidemark.statemachine.member.MemberChange;
import io.tidemark.watch.WatchableStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One member of a replicated cluster, without the client edge: takes commands, gives barriers,
 * views and watches.
 *
 * <p>Several members may live in one JVM. Thread-safe. Only {@link #start}, {@link #awaitReady} and
 * {@link #stop} block. A disk error or corruption is told to the fault handler once; the member
 * then refuses everything and waits to be stopped.
 */
public final class RaftMember implements AutoCloseable {
  private static final Duration STOP_BUDGET = Duration.ofSeconds(2);

  private final MemberCore core;
  private final CountDownLatch published = new CountDownLatch(1);
  private final AtomicBoolean stopped = new AtomicBoolean();

  private RaftMember(MemberCore core) {
    this.core = core;
  }

  /**
   * Opens the store and the log and joins the cluster. Returns without waiting for a leader.
   *
   * @param surroundings clock and routes
   * @param faults told once if the member can't go on
   * @param metrics where the metrics of this member and of its Ratis go
   * @throws UncheckedIOException if the directory or the peer port can't be used
   */
  public static RaftMember start(
      RaftMemberSettings settings,
      Surroundings surroundings,
      FaultHandler faults,
      MetricRegistry metrics) {
    String peerId = RatisNode.peerId(settings.memberId());
    TidemarkMetricRegistries.claim(peerId, metrics);
    MemberCore core = null;
    try {
      core = MemberCore.open(settings, surroundings, faults, metrics);
      core.start();
    } catch (IOException | RuntimeException e) {
      if (core != null) {
        core.close();
      }
      TidemarkMetricRegistries.release(peerId);
      throw e instanceof IOException io
          ? new UncheckedIOException(reason(io), io)
          : (RuntimeException) e;
    }
    RaftMember member = new RaftMember(core);
    member.publish();
    return member;
  }

  /** Messages of the file system's exceptions are bare paths: their class says what is wrong. */
  private static String reason(IOException e) {
    String message = e.getMessage();
    return e instanceof FileSystemException || message == null ? e.toString() : message;
  }

  /**
   * Proposes a command, from any member. The future never completes exceptionally; it completes on
   * a thread of the member that must not be blocked, at the latest after the request timeout.
   */
  public CompletableFuture<ProposalResult> propose(Command command) {
    return core.proposer.propose(command.encoded());
  }

  /**
   * Asks the leader whether a change of the members may be proposed now. The future never completes
   * exceptionally; threads as above, a few seconds at most.
   */
  public CompletableFuture<Optional<EtcdError>> permit(MemberChange change) {
    return core.membership.ask(change);
  }

  /**
   * Waits until the group's configuration has followed a change of the members that this member has
   * applied; false after the request timeout. Threads as above.
   */
  public CompletableFuture<Boolean> inForce(MemberChange change) {
    return core.membership.inForce(change);
  }

  /** Whether this member has no vote. */
  public boolean isLearner() {
    return core.membership.learner();
  }

  /**
   * Asks for a read barrier: once passed, {@link #view()} shows everything that was committed
   * anywhere when this was called. The future never completes exceptionally; threads as above.
   */
  public CompletableFuture<BarrierResult> readBarrier() {
    return core.barriers.request();
  }

  /**
   * Renews a lease, through any member. The future never completes exceptionally; threads and
   * longest wait as for {@link #propose}.
   */
  public CompletableFuture<KeepAliveResult> keepAlive(long leaseId) {
    return core.keepAlives.request(leaseId);
  }

  /** The lease clock in milliseconds, as far as this member knows it; see {@link LeaseClock}. */
  public long leaseClock() {
    return core.leaseClock.now();
  }

  /** What this member has applied of leases. */
  public LeaseCounters leaseCounters() {
    return core.leaseCounters;
  }

  /** What the stages of its writes cost. */
  public WriteMetrics writeMetrics() {
    return core.writeMetrics;
  }

  /** The commands that this member has taken and that aren't over. */
  public Waiting waiting() {
    return core.proposer.waiting();
  }

  /** What went to the other members and came from them. */
  public PeerTraffic traffic() {
    return core.traffic;
  }

  /** Leaders that this member has come to know since its start, one after the other. */
  public long leaderChanges() {
    return core.leaderChanges.seen();
  }

  /** The barriers of this member's reads. */
  public ReadBarriers barriers() {
    return core.barriers;
  }

  /** A consistent view of this member's store as it is now. The caller closes it. */
  public ReadView view() {
    return core.replica.view();
  }

  /** What this member knows of users and roles. */
  public Authority authority() {
    return core.replica.authority();
  }

  /** This member's watchers. */
  public WatchableStore watch() {
    return core.watch;
  }

  /** Revision of this member's store. */
  public long revision() {
    return core.replica.revision();
  }

  /** Revision up to which this member's history was given up. */
  public long compactRevision() {
    return core.replica.compactRevision();
  }

  /** Bytes that the store has allocated; never 0. */
  public long dbSize() {
    return core.replica.logicalBytes();
  }

  /** Bytes of them in use. */
  public long dbSizeInUse() {
    return core.replica.logicalBytesInUse();
  }

  /** Completes once what compaction up to {@code revision} made superfluous is gone here. */
  public CompletableFuture<Void> physicalCompaction(long revision) {
    return core.replica.store().physicalCompaction(revision);
  }

  /**
   * Compares this member's data with that of the others, as far as they can be compared now, which
   * takes as long as hashing all of it. Completes on a thread of the member.
   *
   * @return ids of members that hold something else
   */
  public CompletableFuture<List<Long>> differingMembers() {
    return core.upkeep.differing();
  }

  /** The alarms that are raised, as this member knows them. */
  public Alarms alarms() {
    return core.replica.alarms();
  }

  /** Whether the cluster is to go back to an older version, as this member knows it. */
  public DowngradeInfo downgrade() {
    return core.replica.downgrade();
  }

  /** The bound peer port. */
  public int peerPort() {
    return core.node.peerPort();
  }

  /** Whether this member knows a leader. */
  public boolean hasLeader() {
    return core.node.leader() != null;
  }

  /** The Raft term that this member knows. */
  public long term() {
    return core.node.term();
  }

  /** This member's own view of itself and of the leader. */
  public RaftStatus status() {
    return core.figures.status();
  }

  /**
   * Every member of the table in its order with what it says of itself now, or without where it
   * doesn't answer in a second. The future never completes exceptionally; threads as above.
   */
  public CompletableFuture<List<MemberView>> everyone() {
    return core.figures.everyone();
  }

  /**
   * Makes another voter lead, if this member leads now. The future never completes exceptionally;
   * it completes on a thread of the member that must not be blocked, after the request timeout at
   * the latest.
   */
  public CompletableFuture<LeadershipMove> moveLeadership(long targetId) {
    return core.node.transfers().move(RatisNode.peerId(targetId), core.settings.requestTimeout());
  }

  /**
   * Waits until this member is part of the cluster: its name and client URLs are in its own copy of
   * the member table.
   *
   * @return false if it wasn't in time
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    return published.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Stops the member: refuses new commands, hands leadership over if it leads others, closes.
   *
   * @param budget bounds the hand-over; closing comes on top
   */
  public void stop(Duration budget) {
    if (!stopped.compareAndSet(false, true)) {
      return;
    }
    core.node.expectClose();
    core.proposer.close();
    core.node
        .transfers()
        .handOver(budget.compareTo(STOP_BUDGET) < 0 ? budget : STOP_BUDGET.dividedBy(2));
    core.close();
    TidemarkMetricRegistries.release(core.node.id());
  }

  @Override
  public void close() {
    stop(STOP_BUDGET);
  }

  /**
   * Ends the member as abruptly as can be without ending the process: leadership isn't handed over
   * and the store isn't flushed, so that the next start replays the log. Unlike after a kill, what
   * was being written to the log is finished.
   */
  public void abort() {
    if (!stopped.compareAndSet(false, true)) {
      return;
    }
    core.node.expectClose();
    core.abandon();
    TidemarkMetricRegistries.release(core.node.id());
  }

  /**
   * For a process that ends while this member is still being closed: nothing in the background of
   * its store keeps it any more. The store takes no writes after that.
   */
  public void endBackgroundWork() {
    core.replica.store().endBackgroundWork();
  }

  private void publish() {
    Member member =
        Member.newBuilder()
            .setID(core.settings.memberId())
            .setName(core.settings.name())
            .addAllClientURLs(core.settings.clientUrls())
            .build();
    ByteString command = new Command.PublishMember(member).encoded();
    var unused = core.proposer.propose(command).thenAccept(this::onPublished);
  }

  private void onPublished(ProposalResult result) {
    if (result instanceof ProposalResult.Applied) {
      core.applyTimes.logFromNowOn();
      published.countDown();
    } else {
      core.threads.later(this::publish);
    }
  }
}
