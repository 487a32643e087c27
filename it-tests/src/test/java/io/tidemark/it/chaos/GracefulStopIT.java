package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Workload;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import io.tidemark.it.support.Judged;
import io.tidemark.judge.EventLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** SIGTERM on the leader under writes: it hands over, ends soon, and nothing is lost. */
@Tag("chaos")
class GracefulStopIT {
  /** The goal is 2 s; a loaded machine gets more. */
  private static final Duration EXIT = Duration.ofSeconds(5);

  private static final Duration FLOWS_AGAIN = Duration.ofSeconds(30);
  private static final int KILLED_BY_TERM = 128 + 15;

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  void leaderEndsAndHandsOver() {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3));
    int leader = cluster.awaitLeader();
    List<Operation> history;
    try (Workload load = Workload.start("t", cluster.clients(), 6, 5, 1)) {
      load.awaitChanges(100, FLOWS_AGAIN);
      cluster.member(leader).terminate();
      assertEquals(KILLED_BY_TERM, cluster.member(leader).awaitExit(EXIT));
      load.awaitChanges(100, FLOWS_AGAIN);
      assertNotEquals(leader, cluster.awaitLeader(cluster.allBut(leader)));
      history = load.stop();
    }
    cluster.restart(leader);
    Judged.assertHistory(new EventLog(Replicas.agreed(cluster).events()), history);
  }
}
