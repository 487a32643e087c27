package io.tidemark.raftcore.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.statemachine.member.MemberChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a learner counts as caught up, and what keeps it from its vote. */
final class AutoPromotionTest implements WatchedGroup {
  private static final long SELF = 1;

  private final List<Member> table = new ArrayList<>();
  private final Map<Long, Long> held = new HashMap<>();
  private final Set<Long> silent = new HashSet<>();
  private final List<MemberChange> proposed = new ArrayList<>();
  private CompletableFuture<Boolean> answer = new CompletableFuture<>();
  private boolean leads = true;
  private long newest = 100;

  private final AutoPromotion promotion =
      new AutoPromotion(SELF, this, () -> table, this::propose, Runnable::run);

  private CompletableFuture<Boolean> propose(MemberChange change) {
    proposed.add(change);
    return answer;
  }

  private void member(long id, boolean learner, String name) {
    table.add(Member.newBuilder().setID(id).setIsLearner(learner).setName(name).build());
  }

  private void look(long leaderHolds, long learnerHolds) {
    newest = leaderHolds;
    held.put(2L, learnerHolds);
    promotion.tick();
  }

  private void aLearner() {
    member(SELF, false, "a");
    member(2, true, "b");
  }

  private static List<MemberChange> promoted(long... ids) {
    List<MemberChange> all = new ArrayList<>();
    for (long id : ids) {
      all.add(new MemberChange.Promote(id, true));
    }
    return all;
  }

  @Test
  void itHasToReachWhatTheLeaderHeldAtTheLookBefore() {
    aLearner();
    look(100, 100);
    assertEquals(List.of(), proposed, "one look says nothing of its pace");
    look(300, 99);
    assertEquals(List.of(), proposed, "not what the leader held before");
    look(500, 299);
    assertEquals(List.of(), proposed);
    look(700, 500);
    assertEquals(promoted(2), proposed);
  }

  @Test
  void oneProposalAtATime() {
    aLearner();
    look(1, 1);
    look(1, 1);
    look(1, 1);
    assertEquals(promoted(2), proposed);
    answer.complete(false); // refused, or lost
    answer = new CompletableFuture<>();
    look(1, 1);
    assertEquals(promoted(2, 2), proposed);
  }

  @Test
  void onlyWhoLeadsPromotes() {
    aLearner();
    look(1, 1);
    leads = false;
    look(1, 1);
    leads = true;
    look(5, 1);
    assertEquals(List.of(), proposed, "what was seen before doesn't count");
    look(5, 5);
    assertEquals(promoted(2), proposed);
  }

  @Test
  void aLearnerHasToHaveStartedAndToAnswer() {
    member(SELF, false, "a");
    member(2, true, "");
    look(1, 1);
    look(1, 1);
    table.set(1, table.get(1).toBuilder().setName("b").build());
    silent.add(2L);
    look(1, 1);
    look(1, 1);
    assertEquals(List.of(), proposed);
    silent.clear();
    look(1, 1);
    assertEquals(promoted(2), proposed);
  }

  @Test
  void notWhereStrictReconfigurationRefuses() {
    aLearner();
    member(3, false, "");
    member(4, false, "");
    look(1, 1);
    look(1, 1);
    assertEquals(List.of(), proposed, "two of four voters would have started");
    table.set(2, table.get(2).toBuilder().setName("c").build());
    look(1, 1);
    assertEquals(promoted(2), proposed);
  }

  @Override
  public boolean leads() {
    return leads;
  }

  @Override
  public boolean answers(long id) {
    return !silent.contains(id);
  }

  @Override
  public boolean inSync(long id) {
    return true;
  }

  @Override
  public long newest() {
    return newest;
  }

  @Override
  public boolean holds(long id, long index) {
    return held.getOrDefault(id, -1L) >= index;
  }
}
