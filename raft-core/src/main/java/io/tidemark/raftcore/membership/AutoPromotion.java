package io.tidemark.raftcore.membership;

import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.statemachine.member.MemberChange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a learner its vote once it has caught up, while this member leads: when it holds within one
 * look what the leader held at the look before. Nine tenths of the log, which etcd's users are
 * asked for, may leave it hours behind. Under the rules of strict reconfiguration, one at a time.
 *
 * <p>Thread: one, given at construction; {@link #tick} is called on it, once a second or so.
 */
public final class AutoPromotion {
  private static final Logger LOG = LoggerFactory.getLogger(AutoPromotion.class);

  private final long self;
  private final Group group;
  private final Supplier<List<Member>> table;
  private final Function<MemberChange, CompletableFuture<Boolean>> propose;
  private final Executor thread;

  /** How far each learner has to come, by its id. */
  private final Map<Long, Long> goals = new HashMap<>();

  private boolean busy;

  /**
   * One that has looked at nothing yet.
   *
   * @param table the member table as it was last applied
   * @param propose proposes a change; completes, never exceptionally, with whether it was applied
   * @param thread the one that owns this object
   */
  public AutoPromotion(
      long self,
      Group group,
      Supplier<List<Member>> table,
      Function<MemberChange, CompletableFuture<Boolean>> propose,
      Executor thread) {
    this.self = self;
    this.group = group;
    this.table = table;
    this.propose = propose;
    this.thread = thread;
  }

  /** Looks whether a learner has caught up, and has it promoted. */
  public void tick() {
    if (!group.leads()) {
      goals.clear();
      return;
    }
    if (busy) {
      return;
    }
    List<Member> members = table.get();
    List<Long> learners =
        members.stream()
            .filter(member -> member.getIsLearner() && !member.getName().isEmpty())
            .map(Member::getID)
            .toList();
    goals.keySet().retainAll(learners);
    long newest = group.newest();
    for (long learner : learners) {
      Long goal = goals.put(learner, newest);
      if (goal != null && group.answers(learner) && group.holds(learner, goal)) {
        promote(learner, members);
        return;
      }
    }
  }

  private void promote(long learner, List<Member> members) {
    MemberChange.Promote promote = new MemberChange.Promote(learner, true);
    if (promote.on(new ChangePermits(self, group, members)).isPresent()) {
      return; // not now; it is looked at again
    }
    LOG.info("{}: learner {} has caught up", Long.toHexString(self), Long.toHexString(learner));
    busy = true;
    var unused = propose.apply(promote).thenAcceptAsync(done -> busy = false, thread);
  }
}
