package io.tidemark.raftcore;

import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.membership.AutoPromotion;
import io.tidemark.raftcore.peer.DigestAnswer;
import io.tidemark.raftcore.peer.DigestQuestion;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.raftcore.ratis.RatisNode;
import io.tidemark.raftcore.upkeep.AutoCompactor;
import io.tidemark.raftcore.upkeep.CompactionSchedule;
import io.tidemark.raftcore.upkeep.DigestWays;
import io.tidemark.raftcore.upkeep.Digests;
import io.tidemark.raftcore.upkeep.MemberComparison;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.member.MemberChange;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What this member does of its own accord: giving up history, hashing what it holds, comparing that
 * with the others, giving learners their vote. Any thread.
 */
final class Upkeep implements AutoCloseable {
  private static final long PROMOTION_MILLIS = 1_000;
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final MemberCore core;
  private final Digests digests;
  private final DigestWays ways = new Ways();

  Upkeep(MemberCore core, Consumer<RuntimeException> faults) {
    this.core = core;
    this.digests = new Digests(core.replica::view, core.threads.digest, faults);
  }

  void start() {
    MemberComparison comparison =
        new MemberComparison(core.settings.name(), core.settings.upkeep(), ways, System::nanoTime);
    core.threads.every(MemberComparison.TICK.toMillis(), comparison::tick);
    CompactionSchedule.of(core.settings.upkeep(), System.nanoTime(), core.replica.revision())
        .ifPresent(this::compactBy);
    if (core.settings.upkeep().promoteLearners()) {
      AutoPromotion promotion =
          new AutoPromotion(
              core.settings.memberId(),
              core.node.group(),
              core.membership::table,
              this::propose,
              core.threads.timer);
      core.threads.every(PROMOTION_MILLIS, promotion::tick);
    }
  }

  private CompletableFuture<Boolean> propose(MemberChange change) {
    return core.proposer
        .propose(new Command.ChangeMembers(change).encoded())
        .thenApply(result -> result instanceof ProposalResult.Applied);
  }

  private void compactBy(CompactionSchedule schedule) {
    AutoCompactor compactor =
        new AutoCompactor(
            core.settings.name(),
            schedule,
            new AutoCompactor.Ways(
                System::nanoTime,
                core.replica::revision,
                core.node::leads,
                core.proposer::propose,
                core.threads.timer));
    core.threads.every(schedule.pause().toMillis(), compactor::tick);
  }

  CompletableFuture<DigestAnswer> digest(DigestQuestion question) {
    return CompletableFuture.supplyAsync(() -> digests.ask(question), core.threads.complete);
  }

  CompletableFuture<List<Long>> differing() {
    return CompletableFuture.supplyAsync(() -> MemberComparison.differing(ways), core.threads.timer)
        .thenCompose(differing -> differing);
  }

  @Override
  public void close() {
    digests.close();
  }

  private final class Ways implements DigestWays {
    @Override
    public long self() {
      return core.settings.memberId();
    }

    @Override
    public List<Long> members() {
      return core.membership.started();
    }

    @Override
    public boolean leads() {
      return core.node.leads();
    }

    @Override
    public DigestQuestion now() {
      try (ReadView view = core.replica.view()) {
        return new DigestQuestion(view.revision(), view.compactRevision());
      }
    }

    @Override
    public CompletableFuture<DigestAnswer> ask(long member, DigestQuestion question) {
      return member == self()
          ? digest(question)
          : core.channels.digest(RatisNode.peerId(member), question, ASK_NANOS);
    }

    @Override
    public void alarm(long member) {
      AlarmMember alarm =
          AlarmMember.newBuilder().setMemberID(member).setAlarm(AlarmType.CORRUPT).build();
      if (!core.replica.alarms().all().contains(alarm)) {
        var unused = core.proposer.propose(new Command.RaiseAlarm(alarm).encoded());
      }
    }

    @Override
    public void later(Runnable task) {
      core.threads.later(task);
    }

    @Override
    public Executor thread() {
      return core.threads.timer;
    }
  }
}
