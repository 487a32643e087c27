package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.it.process.Await;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.DataDirectory;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A member that needs a snapshot is killed at each step of taking it in, as its files show the step
 * from outside: it starts again, catches up, and holds the same as the others.
 */
@Tag("snapshot")
class InstallKillsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int SNAPSHOT_COUNT = 150;
  private static final int VALUE_BYTES = 32 << 10;
  private static final int WRITERS = 8;

  /** Entries beyond the last of the dead that the others' logs must have given up. */
  private static final int MARGIN = 20;

  /** Steps of an install in their order. */
  private enum Step {
    /** Some files came. */
    RECEIVING {
      @Override
      boolean isReached(DataDirectory files, Before before) {
        return files.isReceiving();
      }
    },
    /** All files came; the snapshot is in its place. */
    RECEIVED {
      @Override
      boolean isReached(DataDirectory files, Before before) {
        return !before.snapshots().containsAll(files.snapshots());
      }
    },
    /** A new store is made out of it. */
    COPYING {
      @Override
      boolean isReached(DataDirectory files, Before before) {
        return files.newestStore() > before.store();
      }
    },
    /** The new store is the live one. */
    SWAPPED {
      @Override
      boolean isReached(DataDirectory files, Before before) {
        return files.liveStore() > before.store();
      }
    };

    abstract boolean isReached(DataDirectory files, Before before);
  }

  /** A member's files before it takes in the snapshot. */
  private record Before(int store, List<String> snapshots) {}

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  void killedAtEachStep() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "looks at files of ours");
    ProcessCluster cluster =
        clusters.start(ClusterPlan.of(3).flags("--snapshot-count=" + SNAPSHOT_COUNT));
    List<FreshKeys.Written> acknowledged = new ArrayList<>();
    for (Step step : Step.values()) {
      int victim = cluster.otherThan(cluster.awaitLeader());
      acknowledged.addAll(loadWhileDown(cluster, victim, step));
      killInstalling(cluster, victim, step);
      cluster.restart(victim);
    }
    EveryMember.assertHolds(cluster, acknowledged, VALUE_BYTES);
  }

  /** Kills the member and writes until the others have no longer the log entries that it lacks. */
  private static List<FreshKeys.Written> loadWhileDown(
      ProcessCluster cluster, int victim, Step step) {
    long last = cluster.client(victim).status().answer().getRaftIndex();
    cluster.kill(victim);
    cluster.awaitLeader(cluster.allBut(victim));
    try (FreshKeys load =
        FreshKeys.start(
            step + "-",
            cluster.allBut(victim).stream().map(cluster::client).toList(),
            WRITERS,
            VALUE_BYTES)) {
      for (int member : cluster.allBut(victim)) {
        Await.until(
            "the log of member " + member + " to begin after entry " + last,
            LIMIT,
            () -> DataDirectory.of(cluster, member).oldestLogEntry() > last + MARGIN);
      }
      return load.stop();
    }
  }

  private static void killInstalling(ProcessCluster cluster, int victim, Step step) {
    DataDirectory files = DataDirectory.of(cluster, victim);
    cluster.member(victim).start();
    // What it makes of its own store at the start is not the snapshot that comes.
    cluster
        .member(victim)
        .output()
        .awaitLine("the log to open", line -> line.contains("entries to replay"), LIMIT);
    Before before = new Before(files.liveStore(), files.snapshots());
    Await.moment(step + " on member " + victim, LIMIT, () -> step.isReached(files, before));
    cluster.kill(victim);
    assertFalse(cluster.member(victim).recentOutput().contains("ready to serve"), "too late");
  }
}
