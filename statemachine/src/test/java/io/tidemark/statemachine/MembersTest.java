package io.tidemark.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.mvcc.ReadView;
import io.tidemark.statemachine.read.MemberTable;
import io.tidemark.statemachine.testing.Requests;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The founders of a cluster, and what members publish about themselves. */
final class MembersTest {
  private static final Member A = Machine.GENESIS.founders().get(1);
  private static final Member B = Machine.GENESIS.founders().get(0);

  private final Machine machine = new Machine();

  @AfterEach
  void close() {
    machine.close();
  }

  private List<Member> members() {
    try (ReadView view = machine.store().view()) {
      return MemberTable.members(view);
    }
  }

  private OptionalLong clusterId() {
    try (ReadView view = machine.store().view()) {
      return MemberTable.clusterId(view);
    }
  }

  @Test
  void aNewStoreIsEmptyUntilItsFirstPosition() {
    assertEquals(List.of(), members());
    assertEquals(OptionalLong.empty(), clusterId());
  }

  @Test
  void foundersStandFromTheFirstEntryOn() {
    machine.put("k", "1");
    assertEquals(List.of(A, B), members(), "ascending by unsigned id");
    assertEquals(OptionalLong.of(0xc1), clusterId());
  }

  @Test
  void foundersStandAlsoWhenTheFirstEntryHasNoCommands() {
    machine.advance();
    assertEquals(List.of(A, B), members());
    machine.put("k", "1");
    assertEquals(2, machine.store().revision());
  }

  @Test
  void genesisIsWrittenOnce() {
    machine.advance();
    Member published = Member.newBuilder().setID(-5).setName("b").addClientURLs("c").build();
    machine.apply(new Command.PublishMember(published));
    machine.reopen();
    machine.put("k", "1");
    assertEquals(List.of(A, B.toBuilder().setName("b").addClientURLs("c").build()), members());
  }

  @Test
  void aMemberPublishesNameAndClientUrlsOnly() {
    machine.advance();
    Member first =
        Member.newBuilder()
            .setID(5)
            .setName("renamed")
            .addPeerURLs("http://elsewhere:1")
            .addClientURLs("http://a:2379")
            .addClientURLs("http://a:2381")
            .setIsLearner(true)
            .build();
    AppliedEntry applied = machine.apply(new Command.PublishMember(first));
    assertEquals(List.of(new Outcome.Done(ByteString.EMPTY, 1)), applied.outcomes());
    assertEquals(List.of(), applied.batches());
    Member expected =
        A.toBuilder()
            .setName("renamed")
            .addClientURLs("http://a:2379")
            .addClientURLs("http://a:2381")
            .build();
    assertEquals(List.of(expected, B), members());

    Member second = Member.newBuilder().setID(5).setName("a").addClientURLs("http://a:1").build();
    machine.apply(new Command.Put(Requests.put("k", "1")), new Command.PublishMember(second));
    assertEquals(
        List.of(
            expected.toBuilder().setName("a").clearClientURLs().addClientURLs("http://a:1").build(),
            B),
        members());
    assertEquals(2, machine.store().revision());
  }

  @Test
  void oneStandsAloneAndTheOthersAreRemoved() {
    machine.put("k", "1");
    Member self = Member.newBuilder().setID(5).addPeerURLs("http://other:1").build();
    machine.commands().standAlone(1, 7, self);
    assertEquals(List.of(A), members(), "the row that was there");
    assertEquals(7, machine.store().applied().index());
    assertEquals(2, machine.store().revision());
    try (ReadView view = machine.store().view()) {
      assertTrue(MemberTable.removed(view, -5));
      assertEquals(List.of(), MemberTable.founders(view));
      assertEquals(OptionalLong.of(0xc1), clusterId());
    }
    Member other = Member.newBuilder().setID(-5).build();
    assertThrows(IllegalStateException.class, () -> machine.commands().standAlone(1, 8, other));
  }

  @Test
  void whoStandsAloneHasAVoteWhateverItWas() {
    Member self = Member.newBuilder().setID(6).addPeerURLs("http://c:1").setIsLearner(true).build();
    machine.commands().standAlone(1, 1, self);
    assertEquals(List.of(self.toBuilder().setIsLearner(false).build()), members());
    machine.reopen();
    assertEquals(List.of(self.toBuilder().setIsLearner(false).build()), members());
  }

  @Test
  void anUnknownMemberIsRefused() {
    machine.advance();
    assertEquals(
        EtcdError.MEMBER_NOT_FOUND,
        machine.refused(new Command.PublishMember(Member.newBuilder().setID(6).build())));
    assertEquals(List.of(A, B), members());
  }
}
