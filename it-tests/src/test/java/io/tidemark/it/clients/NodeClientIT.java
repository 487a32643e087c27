package io.tidemark.it.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import io.tidemark.it.support.NodeScripts;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Node client etcd3 against each member; the steps are in {@code src/test/node/check.js}. */
@Tag("clients")
class NodeClientIT {
  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    NodeScripts.install("check.js");
    cluster = CLUSTERS.start(ClusterPlan.of(3));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void everydayOperations(int member) {
    Ended ended = NodeScripts.run("check.js", cluster.endpoint(member));
    assertEquals(0, ended.code(), ended::all);
    assertEquals(
        "putGetDelete ok\ntxn ok\nwatch ok\ncompaction ok\nlease ok\nlock ok\nelection ok\n"
            + "membersAndStatus ok\n",
        ended.out(),
        ended::all);
  }
}
