package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.it.client.WatchProbe;
import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Workload;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import io.tidemark.it.support.Judged;
import io.tidemark.judge.EventLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The leader is killed under writes: nothing acknowledged is lost, no event repeated or skipped.
 */
@Tag("chaos")
class LeaderKillIT {
  private static final Duration FLOWS_AGAIN = Duration.ofSeconds(30);
  private static final WatchCreateRequest EVERYTHING = Replicas.everythingFrom(1);

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  void leaderKilledTwiceUnderWrites() {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3));
    List<Operation> history = new ArrayList<>();
    List<Follower> watches = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      int leader = cluster.awaitLeader();
      int follower = cluster.otherThan(leader);
      WatchProbe watch = clusters.closing(cluster.client(follower).watch()).create(EVERYTHING);
      watches.add(new Follower(follower, watch));
      history.addAll(writeWhileKilling(cluster, leader, "r" + round + "c"));
      cluster.restart(leader);
    }

    Replicas.State state = Replicas.agreed(cluster);
    EventLog log = new EventLog(state.events());
    Judged.assertHistory(log, history);
    assertTrue(history.size() > 100, () -> "only " + history.size() + " attempts");
    for (Follower follower : watches) {
      if (!follower.watch().ended()) {
        follower.watch().awaitRevision(0, state.revision());
        Judged.assertWatch(log, EVERYTHING, 0, follower.watch(), state.revision());
      } else {
        long seen = last(follower.watch());
        Judged.assertWatch(log, EVERYTHING, 0, follower.watch(), seen);
      }
    }
  }

  /** A watch and the member that serves it, which may be the one that dies in the next round. */
  private record Follower(int member, WatchProbe watch) {}

  private static List<Operation> writeWhileKilling(
      ProcessCluster cluster, int leader, String name) {
    var survivors = cluster.allBut(leader).stream().map(cluster::client).toList();
    try (Workload load = Workload.start(name, survivors, 8, 5, name.hashCode())) {
      load.awaitChanges(100, FLOWS_AGAIN);
      cluster.kill(leader);
      load.awaitChanges(100, FLOWS_AGAIN);
      return load.stop();
    }
  }

  private static long last(WatchProbe watch) {
    return watch.events(0).stream().mapToLong(e -> e.getKv().getModRevision()).max().orElse(0);
  }
}
