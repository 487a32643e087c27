package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a member writes when nothing goes wrong. */
@Tag("drills")
class NormalRunLogIT {
  private static final int TERMINATED = 128 + 15;

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  /** One JSON object a line, and nothing that would wake anybody. */
  @Test
  void startAndStopWriteNoErrors() {
    Assumptions.assumeTrue(Product.underTest() == Product.TIDEMARK);
    // How fast this machine is just now is no question here.
    ProcessCluster cluster =
        clusters.start(
            ClusterPlan.of(1)
                .flags("--warning-apply-duration=1m", "--warning-unary-request-duration=1m"));
    MemberProcess member = cluster.member(0);
    assertTrue(cluster.client(0).put("quiet", "1").answered());
    member.terminate();
    assertEquals(TERMINATED, member.awaitExit(Duration.ofSeconds(20)));
    List<String> lines = member.output().lines();
    assertTrue(lines.size() >= 3, () -> String.join("\n", lines));
    for (String line : lines) {
      JsonObject entry = JsonParser.parseString(line).getAsJsonObject();
      assertTrue(entry.keySet().containsAll(Set.of("level", "ts", "caller", "msg")), line);
      assertEquals("info", entry.get("level").getAsString(), line);
    }
  }
}
