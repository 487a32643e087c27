package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.UpkeepSettings;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.Outcome;
import io.tidemark.statemachine.member.MemberChange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members come, get a vote and go, and Ratis's configuration follows the table. */
@Timeout(120)
final class MembershipTest {
  private static final long B = 0xB0;
  private static final long C = 0xC0;
  private static final Duration READY = Duration.ofSeconds(30);

  @TempDir Path directory;

  static void change(RaftMember through, MemberChange change) throws Exception {
    assertEquals(Optional.empty(), through.permit(change).get(20, TimeUnit.SECONDS));
    ProposalResult result =
        through.propose(new Command.ChangeMembers(change)).get(20, TimeUnit.SECONDS);
    assertTrue(
        result instanceof ProposalResult.Applied applied
            && applied.outcome() instanceof Outcome.Done,
        () -> change + ": " + result);
    assertTrue(through.inForce(change).get(20, TimeUnit.SECONDS));
  }

  static MemberChange add(PeerMember member, boolean learner) {
    return new MemberChange.Add(
        Member.newBuilder()
            .setID(member.id())
            .addPeerURLs(member.peerUrls().get(0).toString())
            .setIsLearner(learner)
            .build(),
        true,
        1);
  }

  private static List<Long> ids(RaftMember member) {
    return TestCluster.table(member).stream().map(Member::getID).toList();
  }

  private static List<PeerMember> with(List<PeerMember> some, PeerMember one) {
    List<PeerMember> more = new ArrayList<>(some);
    more.add(one);
    return more;
  }

  @Test
  void oneMemberBecomesThreeAndOneAgain() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      RaftMember a = cluster.member(0);
      cluster.putNow(0, "k", "1");
      PeerMember newB = cluster.newcomer(B);
      change(a, add(newB, false));
      cluster.putNow(0, "k", "2"); // nobody waits for a member that hasn't come
      RaftMember b = cluster.join(newB, cluster.founders());
      assertTrue(b.awaitReady(READY));
      assertEquals("2", cluster.read(1, "k"));

      PeerMember newC = cluster.newcomer(C);
      change(b, add(newC, true));
      RaftMember c = cluster.join(newC, with(cluster.founders(), newB));
      assertTrue(c.awaitReady(READY));
      assertTrue(c.isLearner());
      MemberChange promote = new MemberChange.Promote(C, true);
      TestCluster.await("the learner in sync", () -> a.permit(promote).join().isEmpty());
      change(c, promote);
      assertFalse(c.isLearner());
      cluster.putNow(2, "k", "3");

      long founder = cluster.founders().get(0).id();
      change(b, new MemberChange.Remove(founder, true));
      TestCluster.await("the founder's farewell", () -> cluster.removed.contains(founder));
      cluster.stop(0);
      cluster.putNow(1, "k", "4");
      assertEquals(List.of(B, C), ids(b));
      assertEquals(List.of(B, C), ids(c));

      change(c, new MemberChange.Remove(C, true));
      TestCluster.await("the last one's farewell", () -> cluster.removed.contains(C));
      cluster.stop(2);
      cluster.putNow(1, "k", "5");
      assertEquals("5", cluster.read(1, "k"));
      assertEquals(List.of(B), ids(b));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  @Test
  void aLearnerIsPromotedByItself() throws Exception {
    UpkeepSettings promoting = UpkeepSettings.NONE.promotingLearners();
    try (TestCluster cluster = new TestCluster(directory, 1, promoting).startAll()) {
      cluster.putNow(0, "k", "1");
      PeerMember fresh = cluster.newcomer(B);
      change(cluster.member(0), add(fresh, true));
      RaftMember b = cluster.join(fresh, cluster.founders());
      assertTrue(b.awaitReady(READY));
      TestCluster.await("its vote", () -> !b.isLearner());
      cluster.putNow(1, "k", "2");
      assertEquals("2", cluster.read(0, "k"));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  @Test
  void aDeadMemberIsReplaced() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      long dead = cluster.founders().get(2).id();
      cluster.stop(2);
      cluster.awaitLeader(2);
      cluster.putNow(0, "k", "1");
      RaftMember a = cluster.member(0);
      MemberChange.Remove healthy = new MemberChange.Remove(cluster.founders().get(1).id(), true);
      TestCluster.await(
          "the dead one's silence",
          () -> a.permit(healthy).join().equals(Optional.of(EtcdError.UNHEALTHY)));
      change(a, new MemberChange.Remove(dead, true));
      PeerMember fresh = cluster.newcomer(B);
      List<PeerMember> rest = cluster.founders().subList(0, 2);
      IOException early = assertThrows(IOException.class, () -> cluster.join(fresh, rest));
      assertTrue(
          String.valueOf(early.getMessage()).endsWith("member count is unequal"), early::toString);
      change(a, add(fresh, false));
      RaftMember b = cluster.join(fresh, rest);
      assertTrue(b.awaitReady(READY));
      cluster.putNow(3, "k", "2");
      assertEquals("2", cluster.read(0, "k"));
      // The removed one comes back and hears of it.
      cluster.start(2);
      TestCluster.await("the late farewell", () -> cluster.removed.contains(dead));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }
}
