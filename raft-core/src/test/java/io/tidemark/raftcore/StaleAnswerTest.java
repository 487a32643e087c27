package io.tidemark.raftcore;

import static io.tidemark.raftcore.MembershipTest.add;
import static io.tidemark.raftcore.MembershipTest.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.raftcore.settings.PeerMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member joins though the first that it asks hasn't heard of its addition. */
@Timeout(120)
final class StaleAnswerTest {
  @TempDir Path directory;

  @Test
  void anAnswerThatNamesTheNewcomerIsBelieved() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      long revision = cluster.putNow(0, "k", "1");
      int leader = cluster.awaitLeader(-1);
      int stale = (leader + 1) % 3;
      cluster.awaitRevision(stale, revision);
      cluster.stop(stale);
      PeerMember fresh = cluster.newcomer(0xB0);
      change(cluster.member(cluster.awaitLeader(stale)), add(fresh, false));
      cluster.isolate(stale);
      cluster.start(stale);
      List<PeerMember> others = new ArrayList<>(cluster.founders());
      others.add(0, others.remove(stale));
      RaftMember joined = cluster.join(fresh, others);
      cluster.heal();
      assertTrue(joined.awaitReady(Duration.ofSeconds(30)));
      assertEquals(4, TestCluster.table(joined).size());
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }
}
