package io.tidemark.raftcore;

import static io.tidemark.raftcore.MembershipTest.add;
import static io.tidemark.raftcore.MembershipTest.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.statemachine.member.MemberChange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a leader believes of members that came as learners while it led. */
@Timeout(120)
final class LearnersTest {
  private static final long B = 0xB0;
  private static final long C = 0xC0;
  private static final Duration READY = Duration.ofSeconds(30);

  @TempDir Path directory;

  private static RaftMember learner(TestCluster cluster, PeerMember fresh) throws Exception {
    change(cluster.member(0), add(fresh, true));
    RaftMember member = cluster.join(fresh, cluster.founders());
    assertTrue(member.awaitReady(READY));
    assertTrue(member.isLearner());
    return member;
  }

  private static void promote(RaftMember through, long id) throws Exception {
    MemberChange promote = new MemberChange.Promote(id, true);
    TestCluster.await("the learner in sync", () -> through.permit(promote).join().isEmpty());
    change(through, promote);
  }

  private static List<Long> ids(RaftMember member) {
    return TestCluster.table(member).stream().map(Member::getID).toList();
  }

  @Test
  void thePromotedOneIsTheOnlyHeir() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      cluster.putNow(0, "k", "1");
      RaftMember b = learner(cluster, cluster.newcomer(B));
      promote(cluster.member(0), B);
      long founder = cluster.founders().get(0).id();
      change(cluster.member(0), new MemberChange.Remove(founder, true));
      TestCluster.await("the founder's farewell", () -> cluster.removed.contains(founder));
      cluster.stop(0);
      assertEquals(3, cluster.putNow(1, "k", "2"));
      assertEquals(List.of(B), ids(b));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  @Test
  void thePromotedOneVotesWhenTheLeaderDies() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      cluster.putNow(0, "k", "1");
      PeerMember second = cluster.newcomer(C);
      change(cluster.member(0), add(second, false));
      assertTrue(cluster.join(second, cluster.founders()).awaitReady(READY));
      PeerMember third = cluster.newcomer(B);
      change(cluster.member(0), add(third, true));
      List<PeerMember> others = List.of(cluster.founders().get(0), second);
      assertTrue(cluster.join(third, others).awaitReady(READY));
      promote(cluster.member(0), B);
      assertEquals(0, cluster.awaitLeader(-1));
      cluster.abort(0);
      cluster.awaitLeader(0);
      assertEquals(3, cluster.putNow(1, "k", "2"));
      assertEquals("2", cluster.read(2, "k"));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  /** A member that comes and isn't heard of again costs the learner nothing. */
  @Test
  void aFailedAdditionCostsALearnerNothing() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      cluster.putNow(0, "k", "1");
      RaftMember b = learner(cluster, cluster.newcomer(B));
      PeerMember third = cluster.newcomer(C);
      change(cluster.member(0), add(third, false));
      cluster.deafen(C);
      List<PeerMember> others = List.of(cluster.founders().get(0), cluster.newcomers().get(0));
      RaftMember c = cluster.join(third, others);
      TestCluster.await("the leader's refusals", () -> cluster.refusals() > 0);
      // Ratis gives up after three election timeouts, and tries again when the table is looked at.
      long until = System.nanoTime() + TestCluster.ELECTION.multipliedBy(5).toNanos();
      long revision = 0;
      while (System.nanoTime() - until < 0) {
        revision = cluster.putNow(0, "k", "meanwhile");
      }
      cluster.awaitRevision(1, revision);
      cluster.heal();
      assertTrue(c.awaitReady(READY));
      assertEquals(revision + 1, cluster.putNow(2, "k", "2"));
      cluster.awaitRevision(1, revision + 1);
      assertTrue(b.isLearner());
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }
}
