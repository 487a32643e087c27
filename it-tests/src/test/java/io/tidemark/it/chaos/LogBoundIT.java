package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.it.client.MemberClient;
import io.tidemark.it.client.MemberMetrics;
import io.tidemark.it.process.Await;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * With default settings the log on disk stays below its bound under a steady load, also while a
 * member is down for good; who comes back late takes a snapshot.
 */
@Tag("long")
class LogBoundIT {
  private static final long BOUND_BYTES = 600L << 20;
  private static final Duration LIMIT = Duration.ofMinutes(15);

  /** Several times what the log may hold. */
  private static final long WRITTEN_BYTES = 1_500L << 20;

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  @ParameterizedTest(name = "values of {0} bytes, {1} clients")
  @CsvSource({"65536, 16", "1048576, 4", "1024, 128"})
  void logOfTheLivingStaysBounded(int valueBytes, int writers) {
    ProcessCluster cluster =
        clusters.start(ClusterPlan.of(3).flags("--quota-backend-bytes=17179869184"));
    int gone = cluster.otherThan(cluster.awaitLeader());
    cluster.kill(gone);
    List<Integer> alive = List.copyOf(cluster.allBut(gone));
    cluster.awaitLeader(cluster.allBut(gone));
    List<MemberClient> clients = alive.stream().map(cluster::client).toList();
    long[] largest = new long[1];
    long puts = WRITTEN_BYTES / valueBytes;
    long written;
    try (FreshKeys load = FreshKeys.start("log", clients, writers, valueBytes)) {
      Await.until(
          puts + " puts",
          LIMIT,
          () -> {
            for (int member : alive) {
              MemberMetrics metrics = cluster.metrics(member);
              largest[0] = Math.max(largest[0], metrics.get("tidemark_raft_log_bytes"));
            }
            return load.acknowledged() >= puts;
          });
      written = load.stop().size();
    }
    System.out.printf(
        "%d puts of %d bytes: log of at most %d MiB%n", written, valueBytes, largest[0] >> 20);
    for (int member : alive) {
      MemberMetrics metrics = cluster.metrics(member);
      assertEquals(0, metrics.get("tidemark_snapshot_checkpoint_failures_total"));
      assertTrue(metrics.get("tidemark_snapshot_checkpoints_total") >= 3);
    }
    assertTrue(largest[0] <= BOUND_BYTES, () -> largest[0] + " bytes of log");
    cluster.restart(gone);
    assertEquals(1, cluster.metrics(gone).get("tidemark_snapshot_installs_total"));
    long revision = cluster.client(gone).get("health").answer().getHeader().getRevision();
    Await.until(
        "the revision on all members",
        LIMIT,
        () ->
            cluster.clients().stream()
                .allMatch(client -> Replicas.localRevision(client) >= revision));
    List<Integer> hashes =
        cluster.clients().stream().map(c -> c.hashKv(revision).answer().getHash()).toList();
    assertEquals(List.of(hashes.get(0), hashes.get(0), hashes.get(0)), hashes);
  }
}
