package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Outcome;
import io.tidemark.it.history.Workload;
import io.tidemark.it.process.Patience;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every member is stopped by SIGTERM and started again, one after the other, under writes through
 * all of them: nothing acknowledged is lost, each stop costs one hand-over at most, and writes
 * through the others pause no longer than that takes.
 */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class RollingRestartIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Below the election timeout: no election is waited for. */
  private static final Duration PAUSE = Duration.ofMillis(2_500);

  /** The gate runs beside other things: there only a cluster that hangs is too late. */
  private static final Duration PAUSE_IN_THE_GATE = Duration.ofSeconds(30);

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Tag("drills")
  @Test
  void nothingIsLost() {
    restartAll(PAUSE_IN_THE_GATE);
  }

  @Tag("long")
  @Test
  void oneHandOverEach() {
    assertEquals(List.of(0L, 0L, 0L), restartAll(PAUSE));
  }

  /** Gives how many more terms each restart took than its hand-over. */
  private List<Long> restartAll(Duration longestPause) {
    ProcessCluster cluster =
        clusters.start(
            ClusterPlan.of(3).flags("--election-timeout=3000", "--heartbeat-interval=300"));
    List<Operation> history = new ArrayList<>();
    List<Long> pauses = new ArrayList<>();
    List<Long> elections = new ArrayList<>();
    for (int member = 0; member < 3; member++) {
      int leader = cluster.awaitLeader();
      long term = term(cluster, leader);
      List<Operation> meanwhile = restart(cluster, member);
      history.addAll(meanwhile);
      pauses.add(longestPauseMillis(meanwhile, member));
      long after = term(cluster, cluster.awaitLeader());
      elections.add(after - term - (member == leader ? 1 : 0));
    }
    System.out.println("longest pauses of writes in ms, one for each restart: " + pauses);
    Judged.assertHistory(new EventLog(Replicas.agreed(cluster).events()), history);
    for (long pause : pauses) {
      assertTrue(pause <= Patience.stretch(longestPause).toMillis(), () -> "pauses " + pauses);
    }
    return elections;
  }

  private static long term(ProcessCluster cluster, int member) {
    return cluster.client(member).status().answer().getRaftTerm();
  }

  private static List<Operation> restart(ProcessCluster cluster, int member) {
    try (Workload load = Workload.start("r" + member + "-", cluster.clients(), 6, 5, member)) {
      load.awaitChanges(50, LIMIT);
      cluster.member(member).terminate();
      assertEquals(128 + 15, cluster.member(member).awaitExit(Patience.stretch(LIMIT)));
      load.awaitChanges(50, LIMIT);
      cluster.restart(member);
      load.awaitChanges(50, LIMIT);
      return load.stop();
    }
  }

  /** Between acknowledged changes through the other members; clients are spread evenly. */
  private static long longestPauseMillis(List<Operation> history, int member) {
    List<Long> acknowledged =
        history.stream()
            .filter(o -> client(o) % 3 != member)
            .filter(o -> o.outcome().done().filter(Outcome.Done::changed).isPresent())
            .map(Operation::endedNanos)
            .sorted()
            .toList();
    long longest = 0;
    for (int i = 1; i < acknowledged.size(); i++) {
      longest = Math.max(longest, acknowledged.get(i) - acknowledged.get(i - 1));
    }
    return TimeUnit.NANOSECONDS.toMillis(longest);
  }

  private static int client(Operation operation) {
    String name = operation.client();
    return Integer.parseInt(name.substring(name.indexOf('-') + 1));
  }
}
