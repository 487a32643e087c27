package io.tidemark.raftcore;

import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.tidemarkpb.MemberFigures;
import io.tidemark.api.tidemarkpb.MemberView;
import io.tidemark.api.tidemarkpb.WatcherFigures;
import io.tidemark.raftcore.ratis.LeaderCommit;
import io.tidemark.raftcore.ratis.RatisNode;
import io.tidemark.watch.SlowWatcher;
import io.tidemark.watch.WatchGauges;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What members say of themselves: this one, and the others over their peer ports. Any thread. */
final class Figures {
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A dispatcher takes far less; one that has ended never answers. */
  private static final long SLOWEST_MILLIS = 500;

  private final MemberCore core;

  Figures(MemberCore core) {
    this.core = core;
  }

  /** This member's own view of itself and of the leader. */
  RaftStatus status() {
    String leader = core.node.leader();
    LeaderCommit.Heard heard = core.node.leaderCommit().heard();
    return new RaftStatus(
        core.settings.memberId(),
        leader == null ? 0 : Long.parseUnsignedLong(leader, 16),
        core.node.term(),
        core.node.committed(),
        core.appliedIndex.get(),
        core.membership.learner(),
        heard.commitIndex(),
        heard.age(),
        core.replica.revision(),
        core.watch.dispatchedRevision(),
        core.replica.logicalBytes(),
        core.replica.logicalBytesInUse());
  }

  /** The same and its watchers, the slowest by name. Never completes exceptionally. */
  CompletableFuture<MemberFigures> own() {
    return core.watch
        .slowest()
        .copy() // others may wait for the same answer
        .completeOnTimeout(List.of(), SLOWEST_MILLIS, TimeUnit.MILLISECONDS)
        .thenApplyAsync(this::own, core.threads.complete);
  }

  private MemberFigures own(List<SlowWatcher> slowest) {
    RaftStatus status = status();
    return MemberFigures.newBuilder()
        .setMemberId(status.memberId())
        .setLeaderId(status.leaderId())
        .setTerm(status.term())
        .setCommitIndex(status.commitIndex())
        .setAppliedIndex(status.appliedIndex())
        .setLeaderCommitHeard(status.leaderCommitHeard())
        .setLeaderCommitAgeMillis(status.leaderCommitAge().toMillis())
        .setRevision(status.appliedRevision())
        .setCompactRevision(core.replica.compactRevision())
        .setDbSize(status.dbSize())
        .setDbSizeInUse(status.dbSizeInUse())
        .setIsLearner(status.isLearner())
        .setWatchers(watchers(status, slowest))
        .build();
  }

  private WatcherFigures watchers(RaftStatus status, List<SlowWatcher> slowest) {
    WatchGauges gauges = core.watch.gauges();
    return WatcherFigures.newBuilder()
        .setStreams(gauges.streams())
        .setSynced(gauges.synced())
        .setUnsynced(gauges.unsynced())
        .setVictims(gauges.victims())
        .setQueuedBytes(gauges.queuedBytes())
        .setPendingEvents(gauges.pendingEvents())
        .setEvents(gauges.events())
        .setDispatchedRevision(status.dispatchedRevision())
        .addAllSlowest(slowest.stream().map(Figures::named).toList())
        .build();
  }

  private static io.tidemark.api.tidemarkpb.SlowWatcher named(SlowWatcher slow) {
    return io.tidemark.api.tidemarkpb.SlowWatcher.newBuilder()
        .setWatchId(slow.watchId())
        .setOwner(slow.owner())
        .setKey(slow.range().key())
        .setRangeEnd(slow.range().rangeEnd())
        .setVictim(slow.victim())
        .setNextRevision(slow.nextRevision())
        .build();
  }

  /**
   * Every member of the table in its order, without figures where there is no answer in a second.
   * Never completes exceptionally.
   */
  CompletableFuture<List<MemberView>> everyone() {
    List<CompletableFuture<MemberView>> views =
        core.membership.table().stream().map(this::view).toList();
    return CompletableFuture.allOf(views.toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> views.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<MemberView> view(Member member) {
    MemberView.Builder view = MemberView.newBuilder().setMember(member);
    if (member.getID() == core.settings.memberId()) {
      return own().thenApply(figures -> view.setFigures(figures).build());
    }
    long asked = System.nanoTime();
    return core.channels
        .figures(RatisNode.peerId(member.getID()), ASK_NANOS)
        .handle(
            (figures, failure) ->
                failure != null || figures.getMemberId() != member.getID()
                    ? view.build()
                    : view.setFigures(figures).setRoundTripMicros(since(asked)).build());
  }

  private static long since(long nanos) {
    return Math.max(1, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - nanos));
  }
}
