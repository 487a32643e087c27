package io.tidemark.raftcore;

import com.codahale.metrics.MetricRegistry;
import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.raftcore.apply.ApplyListener;
import io.tidemark.raftcore.apply.ApplyTimes;
import io.tidemark.raftcore.apply.Replica;
import io.tidemark.raftcore.faultpoint.FaultPoint;
import io.tidemark.raftcore.lease.KeepAlives;
import io.tidemark.raftcore.lease.LeaseClock;
import io.tidemark.raftcore.lease.LeaseCounters;
import io.tidemark.raftcore.lease.LeaseKeeper;
import io.tidemark.raftcore.metrics.PeerTraffic;
import io.tidemark.raftcore.metrics.SnapshotMetrics;
import io.tidemark.raftcore.metrics.WriteMetrics;
import io.tidemark.raftcore.peer.PeerChannels;
import io.tidemark.raftcore.propose.Proposer;
import io.tidemark.raftcore.ratis.LogEvents;
import io.tidemark.raftcore.ratis.PeerTransport;
import io.tidemark.raftcore.ratis.RatisNode;
import io.tidemark.raftcore.read.AppliedIndex;
import io.tidemark.raftcore.read.ReadBarriers;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.raftcore.settings.Surroundings;
import io.tidemark.raftcore.snapshot.Checkpoints;
import io.tidemark.raftcore.snapshot.SnapshotStorage;
import io.tidemark.raftcore.snapshot.StoreHome;
import io.tidemark.statemachine.AppliedEntry;
import io.tidemark.statemachine.BatchId;
import io.tidemark.statemachine.Genesis;
import io.tidemark.statemachine.lease.LeaseChanges;
import io.tidemark.watch.WatchableStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a running member and the calls between them.
 *
 * <p>Built whole before Ratis starts, so that Ratis's threads see every field. The order of what
 * happens to an applied entry stands in {@link #applied}.
 */
final class MemberCore implements ApplyListener, LogEvents {
  private static final Logger LOG = LoggerFactory.getLogger(MemberCore.class);

  final RaftMemberSettings settings;
  final MemberThreads threads;
  final Replica replica;
  final WatchableStore watch;
  final AppliedIndex appliedIndex;
  final RatisNode node;
  final PeerChannels channels;
  final Proposer proposer;
  final ReadBarriers barriers;
  final Membership membership;
  final Upkeep upkeep;
  final LeaseClock leaseClock;
  final LeaseKeeper leaseKeeper;
  final KeepAlives keepAlives;
  final LeaseCounters leaseCounters;
  final WriteMetrics writeMetrics;
  final PeerTraffic traffic = new PeerTraffic();
  final LeaderChanges leaderChanges = new LeaderChanges();
  final Figures figures = new Figures(this);

  private final PeerTransport transport;
  private final FaultHandler faults;
  private final Checkpoints checkpoints;
  private final LeaderSilence silence;
  final ApplyTimes applyTimes;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();
  private long lastQuorumCheckNanos;

  /** Builds a member; nothing stays open when that fails. {@link #start} follows. */
  static MemberCore open(
      RaftMemberSettings settings,
      Surroundings surroundings,
      FaultHandler faults,
      MetricRegistry registry)
      throws IOException {
    HalfOpen parts = new HalfOpen();
    try {
      return new MemberCore(settings, surroundings, faults, registry, parts);
    } catch (IOException | RuntimeException | Error e) {
      parts.closeAfter(e);
      throw e;
    }
  }

  private MemberCore(
      RaftMemberSettings settings,
      Surroundings surroundings,
      FaultHandler faults,
      MetricRegistry registry,
      HalfOpen parts)
      throws IOException {
    this.settings = settings;
    this.faults = faults;
    SnapshotMetrics metrics = new SnapshotMetrics(registry);
    Path member = settings.dataDirectory().resolve("member");
    Path raft = member.resolve("raft");
    Path building = member.resolve("checkpoint");
    // Both before anything else is touched: what is made here stays usable under other flags.
    Opening.probePeerPort(settings);
    Files.createDirectories(raft);
    DirectoryOwner.claim(member, settings);
    Path received = raft.resolve(RatisNode.group(settings.clusterId()).toString()).resolve("sm");
    this.transport = parts.opened(new PeerTransport(settings));
    this.threads = parts.opened(new MemberThreads(settings.name()));
    this.replica =
        parts.opened(
            Opening.store(
                member.resolve("kv"),
                new StoreHome(
                    member.resolve("kv"), received, settings.mvccLimits(), settings.name()),
                genesis(settings),
                metrics));
    this.watch =
        parts.opened(
            new WatchableStore(
                settings.name(),
                replica,
                settings.watchLimits(),
                e -> fault("serving watchers", e)));
    this.appliedIndex = new AppliedIndex(replica.applied().index(), threads.complete);
    SnapshotStorage snapshots = new SnapshotStorage();
    this.node =
        new RatisNode(
            settings,
            surroundings.routes(),
            raft,
            building,
            replica,
            snapshots,
            this,
            this,
            new PeerAnswers(this),
            transport,
            traffic);
    parts.opened(node::close);
    metrics.watchLog(node.log());
    this.channels =
        new PeerChannels(RatisNode.group(settings.clusterId()), node::openChannel, traffic);
    this.checkpoints =
        new Checkpoints(
            replica,
            snapshots,
            building,
            settings.limits(),
            threads.background,
            node::purge,
            metrics);
    BatchId run = new BatchId(settings.memberId(), Incarnation.begin(member), 0);
    this.leaseClock = new LeaseClock(surroundings.leaseNanos(), replica.leases().clock());
    this.leaseCounters = new LeaseCounters(registry);
    this.leaseKeeper =
        new LeaseKeeper(
            node,
            replica,
            leaseClock,
            settings.electionTimeout(),
            run,
            threads.leaseThread(),
            leaseCounters);
    LeaderLine line = new LeaderLine(node, channels, leaseKeeper);
    this.keepAlives =
        new KeepAlives(
            line, () -> node.leader() != null, settings.requestTimeout(), threads.complete);
    this.silence = new LeaderSilence(settings.name(), settings.electionTimeout().multipliedBy(3));
    this.writeMetrics = new WriteMetrics(registry);
    this.proposer =
        new Proposer(
            settings.name(),
            run,
            settings.limits(),
            settings.requestTimeout(),
            line,
            threads.complete,
            writeMetrics);
    this.barriers =
        new ReadBarriers(line, appliedIndex, settings.requestTimeout(), threads.complete);
    this.membership = new Membership(settings, replica, node, channels, threads, this::leave);
    this.applyTimes = new ApplyTimes(writeMetrics, settings.slowApply());
    this.upkeep = new Upkeep(this, e -> fault("hashing the store", e));
  }

  void start() throws IOException {
    watch.start();
    proposer.start();
    checkpoints.startWith(node.log().bytes());
    Opening.log(settings, node);
    checkpoints.purgeAtStart(node.log().snapshotIndex());
    long tick = Math.max(20, Math.min(100, settings.electionTimeout().toMillis() / 10));
    threads.every(tick, this::tick);
    membership.start();
    upkeep.start();
    threads.everyForLeases(LeaseKeeper.TICK_MILLIS, leaseKeeper::tick);
    Duration half = settings.electionTimeout().dividedBy(2);
    lastQuorumCheckNanos = System.nanoTime();
    threads.every(half.toMillis(), this::checkQuorum);
  }

  /** Thread: apply. */
  @Override
  public void applied(AppliedEntry entry, long index, ByteString bytes, long beganNanos) {
    long endedNanos = System.nanoTime();
    applyTimes.applied(bytes, index, beganNanos, endedNanos);
    if (!entry.batches().isEmpty()) {
      watch.publish(entry.batches());
    }
    if (entry.compactRevision() != 0) {
      FaultPoint.AFTER_COMPACT.hit();
      watch.compacted(entry.compactRevision());
    }
    appliedIndex.advance(index);
    leasesApplied(entry);
    proposer.onApplied(entry, beganNanos, endedNanos);
    if (entry.membersChanged()) {
      membersChanged();
    }
    node.kick(index);
    checkpoints.onApplied(bytes.size());
  }

  private void membersChanged() {
    membership.read();
    checkpoints.onMembersChanged();
    if (membership.removed()) {
      proposer.close(); // nothing of a removed member is applied any more
    }
  }

  private void leasesApplied(AppliedEntry entry) {
    if (entry.leases() != LeaseChanges.NONE) {
      leaseCounters.count(entry.leases(), replica.leases());
      if (entry.leases().clock() != LeaseChanges.SAME_CLOCK) {
        leaseClock.heard(entry.leases().clock());
      }
    }
    leaseKeeper.onApplied(entry);
  }

  /** Thread: apply. */
  @Override
  public void advanced(long index) {
    if (!membership.known()) {
      membership.read(); // the first position brings the founders
    }
    appliedIndex.advance(index);
    node.kick(index);
  }

  /** Thread: apply. */
  @Override
  public void restored(long index) {
    watch.restored();
    leaseClock.heard(replica.leases().clock());
    LOG.info(
        "{}: {} watchers go on from their places in the new store",
        settings.name(),
        watch.gauges().watchers());
    appliedIndex.advance(index);
    proposer.onRestored(replica::outcomes);
    membersChanged();
  }

  /** Called on Ratis's threads, under its lock. */
  @Override
  public void groupClosed() {
    if (closed.compareAndSet(false, true)) {
      threads.timer.execute(
          () -> {
            var unused = membership.closed().thenAccept(this::onClosed);
          });
    }
  }

  private void onClosed(boolean left) {
    if (!left) {
      fault("replicating", new IllegalStateException("Ratis closed this member's group"));
    }
  }

  /** Thread: timer. */
  private void leave() {
    end("removed", () -> faults.onRemoved(settings.name()));
  }

  /** Called under Ratis's lock: only hands over. */
  @Override
  public void leadershipChanged() {
    threads.timer.execute(this::onLeaderEvent);
  }

  @Override
  public void fault(String what, Throwable cause) {
    end("fault", () -> faults.onFault(settings.name(), what, cause));
  }

  private void end(String role, Runnable tell) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    node.expectClose();
    proposer.close();
    barriers.close();
    keepAlives.close();
    // A thread of its own: the handler may end the process, which must not wait for this thread.
    Thread teller = new Thread(tell, "tidemark-" + settings.name() + "-" + role);
    teller.setDaemon(true);
    teller.start();
  }

  /** Ends everything, Ratis first; the store is flushed. */
  void close() {
    close(Replica::close);
  }

  /** As above, but what the store hasn't flushed is lost. */
  void abandon() {
    close(Replica::abandon);
  }

  private void close(Consumer<Replica> last) {
    proposer.close();
    boolean quiet = node.close();
    barriers.close();
    keepAlives.close();
    membership.close();
    leaseKeeper.close();
    upkeep.close();
    proposer.stop();
    channels.close();
    transport.close();
    watch.close();
    threads.close();
    if (quiet) {
      last.accept(replica);
    } // else an apply may still run on its files
  }

  private void tick() {
    silence.look(node.leaderCommit().heard().age(), appliedIndex.get(), replica.revision());
    node.rounds().tick();
    proposer.tick();
    barriers.tick();
    keepAlives.tick();
  }

  private void onLeaderEvent() {
    leaderChanges.look(node.leader());
    if (!node.leads()) {
      node.rounds().onLeadershipLost();
    }
    proposer.onLeaderEvent();
    barriers.onLeaderEvent();
    leaseKeeper.lookSoon();
    keepAlives.onLeaderEvent();
  }

  private void checkQuorum() {
    Duration election = settings.electionTimeout();
    long now = System.nanoTime();
    long since = now - lastQuorumCheckNanos;
    lastQuorumCheckNanos = now;
    if (since > election.toNanos()) {
      return; // we slept, so nobody's silence means anything yet
    }
    node.transfers().checkQuorum(election);
  }

  /** What the founders agree on. */
  static Genesis genesis(RaftMemberSettings settings) {
    return new Genesis(
        settings.clusterId(),
        settings.founders().stream()
            .map(
                founder ->
                    Member.newBuilder()
                        .setID(founder.id())
                        .addAllPeerURLs(founder.peerUrls().stream().map(URI::toString).toList())
                        .build())
            .toList());
  }
}
