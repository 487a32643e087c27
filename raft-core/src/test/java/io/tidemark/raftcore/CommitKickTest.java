package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.raftcore.settings.RaftLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Followers hear of a commit soon, and for few messages. */
class CommitKickTest {
  private static final int PUTS = 60;

  /** Left to itself, the leader sends a heartbeat each quarter of it. */
  private static final Duration ELECTION = Duration.ofSeconds(4);

  @TempDir Path directory;

  @Test
  void aPutCostsEachFollowerAHeartbeatOrTwo() throws Exception {
    RaftLimits limits = RaftLimits.defaults(1 << 20);
    try (TestCluster cluster =
        new TestCluster(directory, 3, 1 << 20, limits, ELECTION).startAll()) {
      int leader = cluster.awaitLeader(-1);
      cluster.putNow(leader, "first", "v");
      long began = System.nanoTime();
      for (int n = 0; n < PUTS; n++) {
        long revision = cluster.putNow(leader, "k", "v" + n);
        for (int i = 0; i < 3; i++) {
          cluster.awaitRevision(i, revision);
        }
      }
      long told = millisSince(began);
      assertTrue(told < PUTS * ELECTION.toMillis() / 16, "took " + told + " ms");

      // One follower is always a little late.
      long before = heartbeats(cluster, leader);
      began = System.nanoTime();
      for (int n = 0; n < 10 * PUTS; n++) {
        cluster.putNow(leader, "k", "w" + n);
      }
      long heartbeats = heartbeats(cluster, leader) - before;
      long byThemselves = 2 * (1 + millisSince(began) / (ELECTION.toMillis() / 4));
      assertTrue(heartbeats <= 4 * 10 * PUTS + byThemselves, heartbeats + " heartbeats");
    }
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  /** To both followers. */
  private static long heartbeats(TestCluster cluster, int leader) {
    long all = 0;
    for (int i = 0; i < 3; i++) {
      if (i != leader) {
        all +=
            cluster.counter(
                leader,
                "ratis.log_appender."
                    + Long.toHexString(cluster.member(i).status().memberId())
                    + "_success_reply_count_heartbeat");
      }
    }
    return all;
  }
}
