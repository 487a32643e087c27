package io.tidemark.raftcore.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.api.etcdserverpb.Member;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One step at a time from the configuration to the member table. */
final class NextStepTest {
  private static final long A = 1;
  private static final long B = -2;
  private static final long C = 3;

  private static Member voter(long id) {
    return Member.newBuilder().setID(id).build();
  }

  private static Member learner(long id) {
    return Member.newBuilder().setID(id).setIsLearner(true).build();
  }

  private static NextStep step(Composition now, List<Member> table, Set<Long> present) {
    return NextStep.of(A, now, table, present);
  }

  private static Composition voters(Long... ids) {
    return new Composition(Set.of(ids), Set.of(), Set.of());
  }

  private static NextStep change(Set<Long> voters, Set<Long> learners) {
    return new NextStep.Change(voters, learners);
  }

  @Test
  void nothingIsDoneWhenAllIsWell() {
    assertEquals(
        new NextStep.Await(List.of()), step(voters(A, B), List.of(voter(A), voter(B)), Set.of(C)));
  }

  @Test
  void aMemberIsAddedWhenItShowsUp() {
    List<Member> table = List.of(voter(A), voter(C), voter(B));
    assertEquals(new NextStep.Await(List.of(C, B)), step(voters(A), table, Set.of()));
    assertEquals(change(Set.of(A, B), Set.of()), step(voters(A), table, Set.of(B)));
    assertEquals(change(Set.of(A, C), Set.of()), step(voters(A), table, Set.of(B, C)));
    assertEquals(
        change(Set.of(A), Set.of(C)), step(voters(A), List.of(voter(A), learner(C)), Set.of(C)));
  }

  @Test
  void whoWasRemovedGoesBeforeAnybodyComes() {
    assertEquals(
        change(Set.of(A), Set.of()),
        step(
            new Composition(Set.of(A, B), Set.of(7L), Set.of()),
            List.of(voter(A), voter(C)),
            Set.of(C)));
  }

  @Test
  void learnersArePromotedOneByOne() {
    Composition now = new Composition(Set.of(A), Set.of(C, 4L, 5L), Set.of());
    List<Member> table = List.of(voter(A), voter(C), voter(4), learner(5));
    assertEquals(change(Set.of(A, C), Set.of(4L, 5L)), step(now, table, Set.of()));
  }

  @Test
  void aRemovedLeaderHandsOverBeforeItGoes() {
    assertEquals(
        new NextStep.HandOver(Set.of(B, C)),
        step(voters(A, B, C), List.of(voter(C), voter(B)), Set.of()));
    assertEquals(change(Set.of(A, C), Set.of()), step(voters(A), List.of(voter(C)), Set.of(C)));
    assertEquals(new NextStep.Await(List.of(C)), step(voters(A), List.of(voter(C)), Set.of()));
  }
}
