package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.it.client.MemberClient;
import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Workload;
import io.tidemark.it.history.Workload.Mix;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Product;
import io.tidemark.it.proxy.PeerLinks;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import io.tidemark.it.support.Judged;
import io.tidemark.judge.EventLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A leader that no longer leads, and doesn't know it, under linearizable reads while others write:
 * it may refuse, but never answer from the past.
 */
@Tag("chaos")
class StaleReadIT {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final int KEYS = 5;

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  /** Cuts the leader's network in some way. */
  private interface Cut {
    void apply(PeerLinks links, int leader);
  }

  @Test
  void idleLeaderThatIsNotHeard() {
    readsThroughACutLeader(PeerLinks::mute);
  }

  @Test
  void idleLeaderThatHearsNobody() {
    readsThroughACutLeader(PeerLinks::deafen);
  }

  private void readsThroughACutLeader(Cut cut) {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "etcd has no hook for links");
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3).onLinks());
    int leader = cluster.awaitLeader();
    cluster.client(leader).put("key0", "before the cut").answer();
    List<Operation> history = new ArrayList<>();
    MemberClient brief = cluster.client(leader).patient(Duration.ofSeconds(2));
    try (Workload reads = Workload.start("r", Mix.READS, List.of(brief), 8, KEYS, 1)) {
      reads.awaitAttempts(50, PATIENCE);
      cut.apply(cluster.links(), leader);
      cluster.awaitLeader(cluster.allBut(leader));
      try (Workload writes = startWrites(cluster, leader)) {
        writes.awaitChanges(100, PATIENCE);
        reads.awaitAttempts(20, PATIENCE);
        writes.awaitChanges(100, PATIENCE);
        history.addAll(reads.stop());
        history.addAll(writes.stop());
      }
    }
    cluster.links().heal();
    cluster.awaitServing(leader);
    judge(cluster, history);
  }

  /** etcd 20418. */
  @Test
  void leaderStoppedUnderReads() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "etcd 3.4.23 has issue 20418");
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3));
    int leader = cluster.awaitLeader();
    cluster.client(leader).put("key0", "before the pause").answer();
    List<Operation> history = new ArrayList<>();
    List<MemberClient> paused = List.of(cluster.client(leader));
    try (Workload before = Workload.start("b", Mix.READS, paused, 16, KEYS, 1)) {
      before.awaitAttempts(100, PATIENCE);
      long pausedAt = System.nanoTime();
      cluster.member(leader).pause();
      cluster.awaitLeader(cluster.allBut(leader));
      try (Workload writes = startWrites(cluster, leader);
          Workload during = Workload.start("d", Mix.READS, paused, 16, KEYS, 2)) {
        writes.awaitChanges(150, PATIENCE);
        Await.until(
            "three seconds of pause",
            PATIENCE,
            () -> System.nanoTime() - pausedAt >= TimeUnit.SECONDS.toNanos(3));
        cluster.member(leader).resume();
        during.awaitAttempts(100, PATIENCE);
        before.awaitAttempts(100, PATIENCE);
        writes.awaitChanges(100, PATIENCE);
        history.addAll(before.stop());
        history.addAll(during.stop());
        history.addAll(writes.stop());
      }
    }
    judge(cluster, history);
  }

  private static Workload startWrites(ProcessCluster cluster, int cutOff) {
    List<MemberClient> others = cluster.allBut(cutOff).stream().map(cluster::client).toList();
    return Workload.start("w", Mix.PUTS, others, 4, KEYS, 3);
  }

  private static void judge(ProcessCluster cluster, List<Operation> history) {
    Replicas.State state = Replicas.agreed(cluster);
    List<Operation> all = new ArrayList<>(history);
    state.events().stream()
        .filter(event -> event.getKv().getValue().toStringUtf8().startsWith("before the"))
        .forEach(event -> all.add(FirstPut.of(event)));
    Judged.assertHistory(new EventLog(state.events()), all);
    long reads = history.stream().filter(o -> o.outcome().done().isPresent()).count();
    assertTrue(reads >= 150, () -> "only " + reads + " answers");
  }
}
