package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.raftcore.ratis.LeadershipMove;
import io.tidemark.raftcore.settings.UpkeepSettings;
import io.tidemark.statemachine.alarm.Alarms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What members do of their own accord, in a cluster. */
@Timeout(120)
class UpkeepTest {
  @TempDir Path directory;

  @Test
  void historyIsGivenUpOnAllMembersAndAfterAChangeOfLeader() throws Exception {
    UpkeepSettings second = UpkeepSettings.NONE.keeping(Duration.ofSeconds(1));
    try (TestCluster cluster = new TestCluster(directory, 3, second).startAll()) {
      int leader = cluster.awaitLeader(-1);
      awaitCompaction(cluster, leader, 0);
      long before = cluster.member(leader).compactRevision();
      int next = (leader + 1) % 3;
      assertEquals(
          LeadershipMove.DONE,
          cluster.member(leader).moveLeadership(cluster.member(next).status().memberId()).get());
      awaitCompaction(cluster, next, before);
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  @Test
  void membersThatAgreeAreComparedInSilence() throws Exception {
    UpkeepSettings often =
        UpkeepSettings.NONE
            .keeping(Duration.ofSeconds(1))
            .comparing(Duration.ofMillis(1), Duration.ofMillis(1));
    try (TestCluster cluster = new TestCluster(directory, 3, often).startAll()) {
      int leader = cluster.awaitLeader(-1);
      for (int i = 0; i < 5; i++) {
        awaitCompaction(cluster, i % 3, cluster.member(leader).compactRevision());
        assertEquals(List.of(), cluster.member(i % 3).differingMembers().get());
      }
      for (int i = 0; i < 3; i++) {
        assertEquals(Alarms.NONE, cluster.member(i).alarms());
      }
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  /** Writes until every member has compacted further than to a revision. */
  private static void awaitCompaction(TestCluster cluster, int writer, long beyond)
      throws Exception {
    for (int i = 0; i < 3; i++) {
      while (cluster.member(i).compactRevision() <= Math.max(1, beyond)) {
        cluster.putNow(writer, "k", "v");
      }
      assertTrue(cluster.member(i).compactRevision() < cluster.member(writer).revision());
    }
  }
}
