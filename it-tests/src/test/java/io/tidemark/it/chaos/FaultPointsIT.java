package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.process.Ports;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Fault points of a process, driven as gofail's are: a member waits, dies, and has lost nothing.
 */
@Tag("chaos")
class FaultPointsIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int PANICKED = 2;

  @RegisterExtension final Clusters clusters = Clusters.perTest();
  private final HttpClient http = HttpClient.newHttpClient();
  private int port;

  private String ask(String method, String path, String body) throws Exception {
    var answer =
        http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }

  @Test
  void memberThatDiesAfterApplyingKeepsWhatItApplied() throws Exception {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "Debian's etcd is built without gofail");
    ProcessCluster cluster = clusters.start(ClusterPlan.of(1));
    MemberProcess member = cluster.member(0);
    cluster.client(0).put("a", "1").answer();
    cluster.kill(0);
    port = Ports.free();
    member.respec(member.spec().with(Map.of("GOFAIL_HTTP", "127.0.0.1:" + port)));
    cluster.restart(0);

    assertEquals("204 ", ask("PUT", "/beforeApplyOneEntryNormal", "1*sleep(700)"));
    long began = System.nanoTime();
    assertEquals(3, cluster.client(0).put("a", "2").answer().getHeader().getRevision());
    assertTrue(System.nanoTime() - began >= Duration.ofMillis(700).toNanos());
    assertEquals("200 1", ask("GET", "/beforeApplyOneEntryNormal/count", ""));

    assertEquals("204 ", ask("PUT", "/afterApplyOneEntryNormal", "panic"));
    assertFalse(cluster.client(0).put("a", "3").answered());
    assertEquals(PANICKED, member.awaitExit(SOON));
    assertTrue(
        member.recentOutput().contains("failpoint panic: afterApplyOneEntryNormal"),
        member::recentOutput);
    cluster.restart(0);
    var read = cluster.client(0).get("a").answer();
    assertEquals("3", read.getKvs(0).getValue().toStringUtf8());
    assertEquals(4, read.getHeader().getRevision());
    assertEquals(
        "404 failed to GET: failpoint: failpoint is disabled\n",
        ask("GET", "/afterApplyOneEntryNormal", ""));
  }
}
