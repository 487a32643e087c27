package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Workload;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import io.tidemark.it.support.Judged;
import io.tidemark.judge.EventLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Members on the oldest and the newest supported JDK in one cluster hold the same. */
@Tag("drills")
class MixedJdkIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  void oldAndNewJdkTogether() throws IOException {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "etcd needs no JDK");
    Optional<Path> old = ClusterPlan.installedJdk(17);
    Path recent = ClusterPlan.newestJdk();
    assumeTrue(old.isPresent(), "no JDK 17 is installed");
    boolean newer = !java(old.get()).equals(java(recent));
    System.out.println(
        newer
            ? "members on " + old.get() + " and " + recent
            : "NO JDK NEWER THAN 17: members were not run on two of them");
    assumeTrue(newer, "no JDK newer than 17 is installed");
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3).jdk(0, old.get()).jdk(1, recent));
    assertEquals(java(old.get()), executable(cluster, 0));
    assertEquals(java(recent), executable(cluster, 1));

    List<Operation> history = new ArrayList<>();
    for (int down = 0; down < 2; down++) {
      try (Workload load = Workload.start("j" + down + "c", cluster.clients(), 6, 5, down)) {
        load.awaitChanges(100, PATIENCE);
        cluster.kill(down);
        load.awaitChanges(100, PATIENCE);
        history.addAll(load.stop());
      }
      cluster.restart(down);
    }
    Judged.assertHistory(new EventLog(Replicas.agreed(cluster).events()), history);
  }

  private static Path java(Path home) throws IOException {
    return home.resolve("bin/java").toRealPath();
  }

  private static Path executable(ProcessCluster cluster, int member) throws IOException {
    return Path.of("/proc", Long.toString(cluster.member(member).pid()), "exe").toRealPath();
  }
}
