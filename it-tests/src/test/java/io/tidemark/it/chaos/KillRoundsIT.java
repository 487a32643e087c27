package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.it.client.MemberMetrics;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Patience;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every member in turn is killed under writes at full rate, just before its next snapshot is due,
 * when it has most to replay: it serves again soon, and in the end all that was acknowledged is on
 * every member, and nothing else.
 */
class KillRoundsIT {
  private static final Duration SERVES_AGAIN = Duration.ofSeconds(5);

  /** The gate runs beside other things: there only a member that hangs is too late. */
  private static final Duration SERVES_AGAIN_IN_THE_GATE = Patience.stretch(Duration.ofSeconds(30));

  private static final Duration FLOWS = Duration.ofSeconds(60);

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Tag("chaos")
  @ParameterizedTest(name = "{0} rounds, {1} bytes, {2} clients, a snapshot each {3} entries")
  @CsvSource({"3, 256, 8, 300", "3, 1048576, 2, 30"})
  void everyMemberOnce(int rounds, int valueBytes, int writers, int snapshotCount) {
    kill(rounds, valueBytes, writers, snapshotCount, SERVES_AGAIN_IN_THE_GATE);
  }

  @Tag("long")
  @Timeout(value = 25, unit = TimeUnit.MINUTES)
  @ParameterizedTest(name = "{0} rounds, {1} bytes, {2} clients, a snapshot each {3} entries")
  @CsvSource({"20, 256, 16, 2000", "20, 1048576, 3, 100"})
  void twentyRounds(int rounds, int valueBytes, int writers, int snapshotCount) {
    kill(rounds, valueBytes, writers, snapshotCount, SERVES_AGAIN);
  }

  private void kill(
      int rounds, int valueBytes, int writers, int snapshotCount, Duration servesAgain) {
    ProcessCluster cluster =
        clusters.start(
            ClusterPlan.of(3)
                .flags("--snapshot-count=" + snapshotCount, "--quota-backend-bytes=17179869184"));
    cluster.awaitLeader();
    List<FreshKeys.Written> acknowledged = new ArrayList<>();
    List<Long> readyMillis = new ArrayList<>();
    long replayed = 0;
    for (int round = 0; round < rounds; round++) {
      int victim = round % 3;
      try (FreshKeys load =
          FreshKeys.start("r" + round + "-", cluster.clients(), writers, valueBytes)) {
        awaitSnapshotDue(cluster, victim, snapshotCount);
        cluster.kill(victim);
        load.awaitAcknowledged(writers, FLOWS);
        readyMillis.add(startMillis(cluster, victim));
        replayed =
            Math.max(replayed, cluster.metrics(victim).get("tidemark_raft_replayed_entries"));
        load.awaitAcknowledged(writers, FLOWS);
        acknowledged.addAll(load.stop());
      }
    }
    Collections.sort(readyMillis);
    System.out.printf(
        "%d rounds, %d bytes: %d puts, ready after %d ms (median), %d ms (worst), at most %d entries"
            + " replayed%n",
        rounds,
        valueBytes,
        acknowledged.size(),
        readyMillis.get(rounds / 2),
        readyMillis.get(rounds - 1),
        replayed);
    EveryMember.assertHolds(cluster, acknowledged, valueBytes);
    long worst = readyMillis.get(rounds - 1);
    assertTrue(worst <= servesAgain.toMillis(), () -> "ready after " + readyMillis);
  }

  /** The member has applied most of the entries after which its next snapshot comes. */
  private static void awaitSnapshotDue(ProcessCluster cluster, int member, int snapshotCount) {
    Await.until(
        "a snapshot nearly due on member " + member,
        FLOWS,
        () -> {
          MemberMetrics metrics = cluster.metrics(member);
          long since =
              metrics.get("etcd_server_proposals_applied_total")
                  - Math.max(0, metrics.get("tidemark_snapshot_index"));
          return since >= snapshotCount * 6L / 10 && since < snapshotCount;
        });
  }

  private static long startMillis(ProcessCluster cluster, int member) {
    long began = System.nanoTime();
    cluster.member(member).start();
    cluster.member(member).awaitReadyLine(FLOWS);
    long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
    cluster.awaitServing(member);
    return millis;
  }
}
