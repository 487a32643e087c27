package io.tidemark.it.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonParser;
import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Paths of the gateway that Debian's etcd is too old for: whole answers, as the protocol of 3.7
 * makes them. A hash is our own ({@code docs/compatibility.md}): it is the one that etcdctl hears.
 */
@Tag("clients")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LaterGatewayIT {
  private static final String HEADER =
      "{'cluster_id':'?','member_id':'?','revision':'%d','raft_term':'?'}";

  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static ProcessCluster ours;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "ours only");
    ours = CLUSTERS.start(ClusterPlan.of(1));
    for (int n = 0; n < 4; n++) {
      ours.client(0).put("key" + n % 2, "value" + n).answer();
    }
    String delete = "{'key':'<key1>'}";
    assertEquals(200, GatewayRequests.post(ours, "/v3/kv/deleterange", delete).statusCode());
  }

  private static void answers(int status, String expected, HttpResponse<String> answer) {
    assertEquals(
        JsonParser.parseString(GatewayRequests.json(expected)),
        GatewayRequests.blanked(answer.body()),
        answer::body);
    assertEquals(status, answer.statusCode());
  }

  private static void answers(int status, String expected, String path, String body)
      throws Exception {
    answers(status, expected, GatewayRequests.post(ours, path, body));
  }

  private static void refuses(int status, int code, String message, String path, String body)
      throws Exception {
    answers(
        status,
        "{'code':%d,'message':'%s','error':'%s'}".formatted(code, message, message),
        path,
        body);
  }

  private static long hashByEtcdctl(long revision) {
    Ended ended =
        Command.of("etcdctl", "--endpoints=" + ours.endpoint(0))
            .env(Map.of("ETCDCTL_API", "3"))
            .with("endpoint", "hashkv", "--rev=" + revision, "-w", "json")
            .run(Duration.ofSeconds(30));
    assertEquals(0, ended.code(), ended::all);
    return JsonParser.parseString(ended.out())
        .getAsJsonArray()
        .get(0)
        .getAsJsonObject()
        .getAsJsonObject("HashKV")
        .get("hash")
        .getAsLong();
  }

  private static void hashes(long revision, long compacted, String body) throws Exception {
    answers(
        200,
        ("{'header':" + HEADER + ",'hash':%d,'compact_revision':'%d','hash_revision':'%d'}")
            .formatted(6, hashByEtcdctl(revision), compacted, revision == 0 ? 6 : revision),
        "/v3/maintenance/hashkv",
        body);
  }

  @Test
  @Order(1)
  void hashkv() throws Exception {
    hashes(0, -1, "");
    hashes(4, -1, "{'revision':'4'}");
    String compact = "{'revision':'3','physical':true}";
    assertEquals(200, GatewayRequests.post(ours, "/v3/kv/compaction", compact).statusCode());
    hashes(0, 3, "{}");
    hashes(5, 3, "{'revision':5}");
    refuses(
        400,
        11,
        "etcdserver: mvcc: required revision has been compacted",
        "/v3/maintenance/hashkv",
        "{'revision':'2'}");
    refuses(
        400,
        11,
        "etcdserver: mvcc: required revision is a future revision",
        "/v3/maintenance/hashkv",
        "{'revision':'7'}");
  }

  private static void downgrades(String action, String version) throws Exception {
    answers(
        200,
        ("{'header':" + HEADER + ",'version':'3.7'}").formatted(6),
        "/v3/maintenance/downgrade",
        "{'action':'" + action + "','version':'" + version + "'}");
  }

  private static void noDowngrade(int code, String message, String action, String version)
      throws Exception {
    refuses(
        code == 2 ? 500 : 400,
        code,
        message,
        "/v3/maintenance/downgrade",
        "{'action':" + action + ",'version':'" + version + "'}");
  }

  @Test
  @Order(2)
  void downgrade() throws Exception {
    downgrades("VALIDATE", "3.6.0");
    downgrades("VALIDATE", "3.6");
    String wrong = "etcdserver: wrong downgrade target version format";
    noDowngrade(3, wrong, "'VALIDATE'", "three");
    noDowngrade(3, "etcdserver: invalid downgrade target version", "'ENABLE'", "3.5");
    noDowngrade(2, "etcdserver: unknown method", "7", "3.6");
    downgrades("ENABLE", "3.6");
    noDowngrade(9, "etcdserver: cluster has a downgrade job in progress", "'ENABLE'", "3.6");
    downgrades("CANCEL", "");
    downgrades("CANCEL", "");
  }

  /** Open to all, with authentication too. */
  @Test
  @Order(3)
  void authStatus() throws Exception {
    answers(
        200,
        ("{'header':" + HEADER + ",'authRevision':'1'}").formatted(6),
        "/v3/auth/status",
        "{}");
    for (String[] step :
        new String[][] {
          {"user/add", "{'name':'root','password':'p'}"},
          {"role/add", "{'name':'root'}"},
          {"user/grant", "{'user':'root','role':'root'}"},
          {"enable", "{}"}
        }) {
      assertEquals(200, GatewayRequests.post(ours, "/v3/auth/" + step[0], step[1]).statusCode());
    }
    answers(
        200,
        ("{'header':" + HEADER + ",'enabled':true,'authRevision':'4'}").formatted(6),
        "/v3/auth/status",
        "");
    refuses(400, 3, "etcdserver: user name is empty", "/v3/maintenance/hashkv", "{}");
    String token =
        JsonParser.parseString(
                GatewayRequests.post(
                        ours, "/v3/auth/authenticate", "{'name':'root','password':'p'}")
                    .body())
            .getAsJsonObject()
            .get("token")
            .getAsString();
    HttpRequest asRoot =
        GatewayRequests.to(ours, "/v3/maintenance/hashkv", "{}")
            .header("Authorization", token)
            .build();
    HttpResponse<String> hash = GatewayRequests.HTTP.send(asRoot, BodyHandlers.ofString());
    assertEquals(200, hash.statusCode());
    assertTrue(hash.body().contains("\"hash_revision\":\"6\""), hash::body);
  }
}
