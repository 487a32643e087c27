package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.raftcore.ratis.LeadershipMove;
import io.tidemark.raftcore.read.BarrierResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes, barriers, leader change and restart over three members. */
class ThreeMembersTest {
  @TempDir Path directory;

  @Test
  void everyMemberWritesAndReadsWhatTheOthersWrote() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      long revision = 1;
      for (int i = 0; i < 3; i++) {
        assertEquals(++revision, cluster.putNow(i, "key", "by " + i));
        assertEquals("by " + i, cluster.local(i, "key"), "own write is readable at once");
        for (int reader = 0; reader < 3; reader++) {
          assertEquals("by " + i, cluster.read(reader, "key"));
        }
      }
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  @Test
  void manyConcurrentWritesGetEachTheirOwnRevision() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      List<CompletableFuture<ProposalResult>> writes = new ArrayList<>();
      for (int n = 0; n < 3000; n++) {
        writes.add(cluster.put(n % 3, "k" + n, ByteString.copyFromUtf8("v" + n)));
      }
      Set<Long> revisions = new TreeSet<>();
      for (CompletableFuture<ProposalResult> write : writes) {
        revisions.add(TestCluster.revision(write.get(20, TimeUnit.SECONDS)));
      }
      assertEquals(3000, revisions.size());
      assertInstanceOf(BarrierResult.Passed.class, cluster.barrier(0));
      assertEquals(3001, cluster.member(0).revision());
      long applied = cluster.member(cluster.awaitLeader(-1)).status().appliedIndex();
      assertTrue(applied < 1500, "commands share entries, but there are " + applied);
    }
  }

  @Test
  void leadershipMovesToTheWantedVoter() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      int leader = cluster.awaitLeader(-1);
      int follower = (leader + 1) % 3;
      long followerId = cluster.member(follower).status().memberId();
      long leaderId = cluster.member(leader).status().memberId();
      assertEquals(LeadershipMove.NOT_LEADING, move(cluster, follower, followerId));
      assertEquals(LeadershipMove.NO_SUCH_VOTER, move(cluster, leader, 77));
      assertEquals(LeadershipMove.DONE, move(cluster, leader, leaderId));
      assertEquals(leader, cluster.awaitLeader(-1));
      assertEquals(LeadershipMove.DONE, move(cluster, leader, followerId));
      assertEquals(follower, cluster.awaitLeader(leader));
      assertEquals(2, cluster.putNow(leader, "after", "x"));
    }
  }

  private static LeadershipMove move(TestCluster cluster, int through, long target)
      throws Exception {
    return cluster.member(through).moveLeadership(target).get(20, TimeUnit.SECONDS);
  }

  @Test
  void leaderStopLosesNoAcknowledgedWrite() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      int leader = cluster.awaitLeader(-1);
      int follower = (leader + 1) % 3;
      long last = 0;
      for (int n = 0; n < 50; n++) {
        last = cluster.putNow(follower, "k" + n, "v" + n);
      }
      long begin = System.nanoTime();
      cluster.stop(leader);
      long stopped = System.nanoTime();
      assertTrue(
          Duration.ofNanos(stopped - begin).toMillis() < 4000,
          "stop took " + Duration.ofNanos(stopped - begin));
      assertEquals(last + 1, cluster.putNow(follower, "after", "x"));
      Duration outage = Duration.ofNanos(System.nanoTime() - stopped);
      assertTrue(outage.toMillis() < 4000, "no writes for " + outage);
      for (int n = 0; n < 50; n++) {
        assertEquals("v" + n, cluster.read(follower, "k" + n));
      }
      cluster.start(leader);
      cluster.awaitRevision(leader, last + 1);
      assertEquals("x", cluster.read(leader, "after"));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  @Test
  void statusTellsTheLeaderAndAnHonestLag() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      int leader = cluster.awaitLeader(-1);
      int follower = (leader + 1) % 3;
      long leaderId = cluster.member(leader).status().memberId();
      TestCluster.await(
          "followers to know", () -> cluster.member(follower).status().leaderId() == leaderId);
      cluster.isolate(follower);
      TestCluster.await(
          "the age to grow",
          () -> cluster.member(follower).status().leaderCommitAge().toMillis() > 1500);
      TestCluster.await("the leader to be lost", () -> !cluster.member(follower).hasLeader());
      assertEquals(0, cluster.member(follower).status().leaderId());
      cluster.heal();
      TestCluster.await("a leader again", () -> cluster.member(follower).hasLeader());
    }
  }

  @Test
  void withoutAMajorityNothingIsAcknowledged() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      int leader = cluster.awaitLeader(-1);
      cluster.stop((leader + 1) % 3);
      cluster.stop((leader + 2) % 3);
      CompletableFuture<ProposalResult> write =
          cluster.put(leader, "k", ByteString.copyFromUtf8("v"));
      BarrierResult barrier = cluster.barrier(leader);
      assertInstanceOf(BarrierResult.Failed.class, barrier);
      ProposalResult result = write.get(20, TimeUnit.SECONDS);
      assertTrue(!(result instanceof ProposalResult.Applied), result.toString());
    }
  }
}
