package io.tidemark.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberAddResponse;
import io.tidemark.api.etcdserverpb.MemberPromoteResponse;
import io.tidemark.api.etcdserverpb.MemberRemoveResponse;
import io.tidemark.api.etcdserverpb.MemberUpdateResponse;
import io.tidemark.mvcc.ReadView;
import io.tidemark.statemachine.member.MemberChange;
import io.tidemark.statemachine.read.MemberTable;
import io.tidemark.statemachine.testing.Requests;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of the members: what they do, and each refusal in etcd's order. */
final class MemberChangeTest {
  private static final long A = 5;
  private static final long B = -5;
  private static final long C = 7;

  private final Machine machine = new Machine();

  /** Two voters: {@code a} has started, {@code b} hasn't. */
  @BeforeEach
  void found() {
    machine.advance();
  }

  @AfterEach
  void close() {
    machine.close();
  }

  private static Member member(long id, String url, boolean learner) {
    return Member.newBuilder().setID(id).addPeerURLs(url).setIsLearner(learner).build();
  }

  private static Command voter(long id, String url) {
    return change(new MemberChange.Add(member(id, url, false), true, 1));
  }

  private static Command learner(long id, String url) {
    return change(new MemberChange.Add(member(id, url, true), true, 1));
  }

  private static Command remove(long id) {
    return change(new MemberChange.Remove(id, true));
  }

  private static Command removeAnyway(long id) {
    return change(new MemberChange.Remove(id, false));
  }

  private static Command update(long id, String... urls) {
    return change(new MemberChange.Update(id, List.of(urls)));
  }

  private static Command promote(long id) {
    return change(new MemberChange.Promote(id, true));
  }

  private static Command change(MemberChange change) {
    return new Command.ChangeMembers(change);
  }

  private void started(long id, String name) {
    AppliedEntry applied =
        machine.apply(
            new Command.PublishMember(Member.newBuilder().setID(id).setName(name).build()));
    assertTrue(applied.membersChanged());
  }

  private Outcome done(Command command) {
    AppliedEntry applied = machine.apply(command);
    assertTrue(applied.membersChanged());
    assertEquals(List.of(), applied.batches());
    return applied.outcomes().get(0);
  }

  private List<Member> members() {
    try (ReadView view = machine.store().view()) {
      return MemberTable.members(view);
    }
  }

  private List<Long> ids() {
    return members().stream().map(Member::getID).toList();
  }

  private boolean removed(long id) {
    try (ReadView view = machine.store().view()) {
      return MemberTable.removed(view, id);
    }
  }

  @Test
  void aVoterIsAdded() {
    started(B, "b");
    Member fresh = member(C, "http://c:2380", false);
    MemberAddResponse response =
        Machine.parse(done(voter(C, "http://c:2380")), MemberAddResponse::parseFrom);
    assertFalse(response.hasHeader());
    assertEquals(fresh, response.getMember());
    assertEquals(members(), response.getMembersList());
    assertEquals(List.of(A, C, B), ids());
    assertEquals(fresh, members().get(1));
  }

  @Test
  void aLearnerIsAddedAndPromoted() {
    started(B, "b");
    MemberAddResponse added =
        Machine.parse(done(learner(C, "http://c:2380")), MemberAddResponse::parseFrom);
    assertTrue(added.getMember().getIsLearner());
    assertTrue(members().get(1).getIsLearner());
    MemberPromoteResponse promoted =
        Machine.parse(done(promote(C)), MemberPromoteResponse::parseFrom);
    assertEquals(members(), promoted.getMembersList());
    assertEquals(member(C, "http://c:2380", false), members().get(1));
  }

  @Test
  void aRemovedMemberNeverComesBack() {
    started(B, "b");
    MemberRemoveResponse response = Machine.parse(done(remove(B)), MemberRemoveResponse::parseFrom);
    assertEquals(List.of(A), response.getMembersList().stream().map(Member::getID).toList());
    assertEquals(List.of(A), ids());
    assertTrue(removed(B));
    assertFalse(removed(A));
    machine.reopen();
    assertEquals(EtcdError.MEMBER_NOT_FOUND, machine.refused(voter(B, "http://new:2380")));
    assertEquals(EtcdError.MEMBER_NOT_FOUND, machine.refused(remove(B)));
    assertEquals(EtcdError.MEMBER_NOT_FOUND, machine.refused(update(B, "http://new:2380")));
    assertEquals(EtcdError.MEMBER_NOT_FOUND, machine.refused(promote(B)));
    assertEquals(
        EtcdError.MEMBER_NOT_FOUND,
        machine.refused(
            new Command.PublishMember(Member.newBuilder().setID(B).setName("b").build())));
    done(voter(C, "http://b:2380"));
    assertEquals(List.of(A, C), ids());
  }

  @Test
  void peerUrlsAreReplacedAsTheyAre() {
    MemberUpdateResponse response =
        Machine.parse(done(update(A, "http://x:1", "odd")), MemberUpdateResponse::parseFrom);
    assertEquals(members(), response.getMembersList());
    assertEquals(List.of("http://x:1", "odd"), members().get(0).getPeerURLsList());
    assertEquals("a", members().get(0).getName());
    done(update(A, "odd"));
    assertEquals(List.of("odd"), members().get(0).getPeerURLsList());
  }

  @Test
  void whatCannotBeIsRefused() {
    started(B, "b");
    assertEquals(EtcdError.MEMBER_EXIST, machine.refused(voter(A, "http://a:2380")));
    assertEquals(EtcdError.PEER_URL_EXIST, machine.refused(voter(C, "http://a:2380")));
    assertEquals(EtcdError.PEER_URL_EXIST, machine.refused(learner(C, "http://b:2380")));
    assertEquals(EtcdError.PEER_URL_EXIST, machine.refused(update(A, "http://b:2380")));
    assertEquals(EtcdError.MEMBER_NOT_FOUND, machine.refused(update(C, "http://b:2380")));
    assertEquals(EtcdError.MEMBER_NOT_FOUND, machine.refused(remove(C)));
    assertEquals(EtcdError.MEMBER_NOT_FOUND, machine.refused(promote(C)));
    assertEquals(EtcdError.MEMBER_NOT_LEARNER, machine.refused(promote(A)));
    done(learner(C, "http://c:2380"));
    assertEquals(EtcdError.PEER_URL_EXIST, machine.refused(learner(8, "http://c:2380")));
    assertEquals(EtcdError.TOO_MANY_LEARNERS, machine.refused(learner(8, "http://d:2380")));
    done(change(new MemberChange.Add(member(8, "http://d:2380", true), true, 2)));
    assertEquals(List.of(A, C, 8L, B), ids());
  }

  @Test
  void aVoterThatNeverStartedForbidsAnother() {
    // Three voters need two; only a has started.
    assertEquals(EtcdError.MEMBER_NOT_ENOUGH_STARTED, machine.refused(voter(A, "http://a:2380")));
    done(learner(C, "http://c:2380"));
    assertEquals(EtcdError.MEMBER_NOT_ENOUGH_STARTED, machine.refused(remove(A)));
    // The learner counts as started: two of three.
    done(promote(C));
    assertEquals(EtcdError.MEMBER_NOT_ENOUGH_STARTED, machine.refused(voter(8, "http://d:2380")));
    done(change(new MemberChange.Add(member(8, "http://d:2380", false), false, 1)));
    assertEquals(List.of(A, C, 8L, B), ids());
  }

  @Test
  void aLoneMemberMayGetCompanyAndLoseIt() {
    done(remove(B));
    assertEquals(EtcdError.MEMBER_NOT_ENOUGH_STARTED, machine.refused(remove(A)));
    assertEquals(EtcdError.MEMBER_NOT_ENOUGH_STARTED, machine.refused(removeAnyway(A)));
    done(voter(C, "http://c:2380"));
    assertEquals(EtcdError.MEMBER_NOT_ENOUGH_STARTED, machine.refused(voter(8, "http://d:2380")));
    assertEquals(EtcdError.MEMBER_NOT_ENOUGH_STARTED, machine.refused(remove(A)));
    done(remove(C));
    assertEquals(List.of(A), ids());
  }

  @Test
  void aLearnerIsRemovedWhateverTheVotersDo() {
    done(learner(C, "http://c:2380"));
    done(remove(C));
    assertEquals(List.of(A, B), ids());
  }

  @Test
  void aRefusedChangeLeavesTheTableAlone() {
    AppliedEntry applied = machine.apply(remove(8), new Command.Put(Requests.put("k", "v")));
    assertFalse(applied.membersChanged());
    assertEquals(List.of(A, B), ids());
  }

  @Test
  void changesOfOneEntryBuildOnEachOther() {
    machine.apply(remove(B), voter(C, "http://b:2380"));
    assertEquals(List.of(A, C), ids());
  }

  @Test
  void batchesOfARemovedMemberAreForgottenAndRefused() {
    BatchId early = new BatchId(B, 1, 0);
    Command put = new Command.Put(Requests.put("k", "v"));
    machine.applyAs(early, List.of(put));
    done(remove(B));
    for (BatchId late : List.of(early, new BatchId(B, 1, 1), new BatchId(B, 2, 0))) {
      assertEquals(AppliedEntry.skipped(late), machine.applyAs(late, List.of(put)));
      machine.reopen();
    }
    assertEquals(2, machine.store().revision());
    try (ReadView view = machine.store().view()) {
      assertEquals(Optional.empty(), BatchWindow.outcomes(view, early));
    }
  }

  @Test
  void aMemberMayRemoveItself() {
    BatchId own = new BatchId(B, 1, 0);
    AppliedEntry applied = machine.applyAs(own, List.of(remove(B)));
    Machine.parse(applied.outcomes().get(0), MemberRemoveResponse::parseFrom);
    assertEquals(AppliedEntry.skipped(own), machine.applyAs(own, List.of(remove(B))));
  }

  @Test
  void theFoundersAreKeptAsTheyWere() {
    started(B, "b");
    done(remove(B));
    try (ReadView view = machine.store().view()) {
      assertEquals(
          Stream.of(A, B).toList(),
          MemberTable.founders(view).stream().map(Member::getID).toList());
      assertEquals("", MemberTable.founders(view).get(1).getName());
    }
  }
}
