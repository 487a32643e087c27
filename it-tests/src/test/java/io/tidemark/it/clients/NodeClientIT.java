package io.tidemark.it.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Node client etcd3 against each member; the steps are in {@code src/test/node/check.js}. */
@Tag("clients")
class NodeClientIT {
  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static final Path SOURCES = Product.checkout().resolve("it-tests/src/test/node");
  private static final Path WORK = Product.checkout().resolve("it-tests/target/node");

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Files.createDirectories(WORK);
    for (String file : new String[] {"package.json", "package-lock.json", "check.js"}) {
      Files.copy(SOURCES.resolve(file), WORK.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    if (!Files.isDirectory(WORK.resolve("node_modules/etcd3"))) {
      Ended installed =
          Command.of("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
              .in(WORK)
              .run(Duration.ofMinutes(3));
      assertEquals(0, installed.code(), installed::all);
    }
    cluster = CLUSTERS.start(ClusterPlan.of(3));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void everydayOperations(int member) {
    Ended ended =
        Command.of("node", "check.js", cluster.endpoint(member))
            .in(WORK)
            .run(Duration.ofSeconds(60));
    assertEquals(0, ended.code(), ended::all);
    assertEquals(
        "putGetDelete ok\ntxn ok\nwatch ok\ncompaction ok\nlease ok\nlock ok\nelection ok\n"
            + "membersAndStatus ok\n",
        ended.out(),
        ended::all);
  }
}
