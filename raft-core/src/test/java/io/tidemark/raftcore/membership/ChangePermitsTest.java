package io.tidemark.raftcore.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.statemachine.member.MemberChange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the leader forbids, and in which order it looks. */
final class ChangePermitsTest {
  private static final Optional<EtcdError> ALLOWED = Optional.empty();

  private static Member voter(long id) {
    return Member.newBuilder().setID(id).setName("m" + id).build();
  }

  private static Member unstarted(long id) {
    return Member.newBuilder().setID(id).build();
  }

  private static Member learner(long id) {
    return voter(id).toBuilder().setIsLearner(true).build();
  }

  /** A group whose leader is 1. */
  private record Fixed(Set<Long> answering, Set<Long> synced) implements WatchedGroup {
    @Override
    public boolean leads() {
      return true;
    }

    @Override
    public boolean answers(long id) {
      return answering.contains(id);
    }

    @Override
    public long newest() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean holds(long id, long index) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean inSync(long id) {
      return synced.contains(id);
    }
  }

  private static Optional<EtcdError> permit(
      MemberChange change, Set<Long> answering, Member... table) {
    return change.on(new ChangePermits(1, new Fixed(answering, Set.of(9L)), List.of(table)));
  }

  private static Optional<EtcdError> error(EtcdError error) {
    return Optional.of(error);
  }

  private static MemberChange add(boolean learner, boolean strict) {
    return new MemberChange.Add(
        Member.newBuilder().setID(8).setIsLearner(learner).build(), strict, 1);
  }

  private static MemberChange remove(long id) {
    return new MemberChange.Remove(id, true);
  }

  @Test
  void addingWantsEveryVoterToAnswer() {
    assertEquals(ALLOWED, permit(add(false, true), Set.of(), voter(1)));
    assertEquals(ALLOWED, permit(add(false, true), Set.of(2L), voter(1), voter(2)));
    for (boolean learner : List.of(false, true)) {
      assertEquals(
          error(EtcdError.UNHEALTHY), permit(add(learner, true), Set.of(), voter(1), voter(2)));
      assertEquals(ALLOWED, permit(add(learner, false), Set.of(), voter(1), voter(2)));
    }
    assertEquals(ALLOWED, permit(add(false, true), Set.of(2L), voter(1), voter(2), learner(3)));
    assertEquals(
        error(EtcdError.MEMBER_NOT_ENOUGH_STARTED),
        permit(add(false, true), Set.of(), voter(1), unstarted(2)));
  }

  @Test
  void removingWantsAMajorityOfTheRestToAnswer() {
    Member[] three = {voter(1), voter(2), voter(3)};
    assertEquals(ALLOWED, permit(remove(3), Set.of(2L, 3L), three));
    assertEquals(ALLOWED, permit(remove(3), Set.of(2L), three), "a dead one");
    assertEquals(error(EtcdError.UNHEALTHY), permit(remove(2), Set.of(2L), three));
    assertEquals(error(EtcdError.UNHEALTHY), permit(remove(1), Set.of(2L), three), "itself");
    assertEquals(ALLOWED, permit(new MemberChange.Remove(2, false), Set.of(2L), three));
    assertEquals(ALLOWED, permit(remove(2), Set.of(2L), voter(1), voter(2)));
    assertEquals(ALLOWED, permit(remove(9), Set.of(), voter(1), learner(9)));
    assertEquals(
        error(EtcdError.MEMBER_NOT_ENOUGH_STARTED),
        permit(remove(2), Set.of(2L), voter(1), voter(2), unstarted(3)));
    assertEquals(ALLOWED, permit(remove(3), Set.of(2L), voter(1), voter(2), unstarted(3)));
  }

  @Test
  void promotingWantsTheLearnerInSync() {
    assertEquals(
        error(EtcdError.MEMBER_NOT_FOUND),
        permit(new MemberChange.Promote(8, true), Set.of(), voter(1)));
    assertEquals(
        error(EtcdError.LEARNER_NOT_READY),
        permit(new MemberChange.Promote(8, true), Set.of(), voter(1), learner(8)));
    assertEquals(
        ALLOWED, permit(new MemberChange.Promote(9, true), Set.of(), voter(1), learner(9)));
    assertEquals(
        error(EtcdError.MEMBER_NOT_ENOUGH_STARTED),
        permit(
            new MemberChange.Promote(9, true),
            Set.of(),
            voter(1),
            learner(9),
            unstarted(2),
            unstarted(3)));
  }
}
