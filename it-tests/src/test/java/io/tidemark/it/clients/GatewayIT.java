package io.tidemark.it.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The same JSON requests, in the same order, to a real etcd and to us. Ids, terms, addresses and
 * tokens are blanked out; everything else, revisions among it, has to be equal, but for what {@code
 * docs/compatibility.md} lists.
 */
@Tag("clients")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GatewayIT {
  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static ProcessCluster etcd;
  private static ProcessCluster ours;

  /** Sent with every request once logged in. */
  private static Map<ProcessCluster, String> tokens = Map.of();

  private record Answer(int status, JsonElement body) {}

  /** Of 3.5 and later, so Debian's 3.4 can't be asked; {@link LaterGatewayIT} asks ours. */
  private static final Set<String> LATER =
      Set.of("maintenance/hashkv", "maintenance/downgrade", "auth/status");

  /** Every path of etcd 3.7. */
  private static final Set<String> PATHS =
      Set.of(
          """
          kv/range kv/put kv/deleterange kv/txn kv/compaction watch
          lease/grant lease/revoke lease/keepalive lease/timetolive lease/leases
          kv/lease/revoke kv/lease/timetolive kv/lease/leases
          cluster/member/add cluster/member/remove cluster/member/update cluster/member/list
          cluster/member/promote
          maintenance/alarm maintenance/status maintenance/defragment maintenance/hash
          maintenance/hashkv maintenance/snapshot maintenance/transfer-leadership
          maintenance/downgrade
          auth/enable auth/disable auth/status auth/authenticate
          auth/user/add auth/user/get auth/user/list auth/user/delete auth/user/changepw
          auth/user/grant auth/user/revoke
          auth/role/add auth/role/get auth/role/list auth/role/delete auth/role/grant
          auth/role/revoke
          lock/lock lock/unlock
          election/campaign election/proclaim election/leader election/observe election/resign
          """
              .split("\\s+"));

  /** Asked of both so far, without the version in front. */
  private static final Set<String> ASKED = new TreeSet<>();

  @BeforeAll
  static void start() {
    etcd = CLUSTERS.start(ClusterPlan.of(1, Product.ETCD));
    ours = CLUSTERS.start(ClusterPlan.of(1, Product.TIDEMARK));
  }

  private static HttpRequest request(ProcessCluster cluster, String path, String body) {
    if (cluster == ours && path.startsWith("/v3/")) {
      ASKED.add(path.substring("/v3/".length()));
    }
    HttpRequest.Builder request = GatewayRequests.to(cluster, path, body);
    String token = tokens.get(cluster);
    if (token != null) {
      request.header("Authorization", token);
    }
    return request.build();
  }

  private static String send(ProcessCluster cluster, String path, String body) throws Exception {
    return GatewayRequests.HTTP.send(request(cluster, path, body), BodyHandlers.ofString()).body();
  }

  private static Answer answer(ProcessCluster cluster, String path, String body) throws Exception {
    var response = GatewayRequests.HTTP.send(request(cluster, path, body), BodyHandlers.ofString());
    assertEquals("application/json", response.headers().firstValue("content-type").orElse(""));
    return new Answer(response.statusCode(), GatewayRequests.blanked(response.body()));
  }

  private static void same(int status, String path, String body) throws Exception {
    Answer expected = answer(etcd, path, body);
    assertEquals(expected, answer(ours, path, body), path + " " + body);
    assertEquals(status, expected.status(), () -> path + " " + expected);
  }

  private static void sameError(int status, String message, String path, String body)
      throws Exception {
    same(status, path, body);
    assertTrue(send(ours, path, body).contains('"' + message + '"'), path);
  }

  /** Where the error is one, but another HTTP status or text follows from 3.7. */
  private static void errors(
      String path, String body, int etcdStatus, int status, int code, String message)
      throws Exception {
    assertEquals(
        etcdStatus,
        GatewayRequests.HTTP.send(request(etcd, path, body), BodyHandlers.ofString()).statusCode());
    Answer answer = answer(ours, path, body);
    assertEquals(status, answer.status(), path);
    assertEquals(code, answer.body().getAsJsonObject().get("code").getAsInt(), path);
    assertEquals(message, answer.body().getAsJsonObject().get("message").getAsString(), path);
    assertEquals(message, answer.body().getAsJsonObject().get("error").getAsString(), path);
  }

  private static List<JsonElement> lines(
      ProcessCluster cluster, String path, String body, int count) throws Exception {
    var response = GatewayRequests.HTTP.send(request(cluster, path, body), BodyHandlers.ofLines());
    assertEquals(200, response.statusCode());
    try (Stream<String> lines = response.body()) {
      return lines.limit(count).map(GatewayRequests::blanked).toList();
    }
  }

  private static void sameLines(String path, String body, int count) throws Exception {
    List<JsonElement> expected = lines(etcd, path, body, count);
    assertEquals(count, expected.size());
    assertEquals(expected, lines(ours, path, body, count), path + " " + body);
  }

  @Test
  @Order(1)
  void keys() throws Exception {
    same(200, "/v3/kv/put", "{'key':'<a>','value':'<1>'}");
    same(200, "/v3beta/kv/put", "{'key':'<a>','value':'<2>','prev_kv':true}");
    same(200, "/v3/kv/put", "{'key':'<b>','value':'<3>'}");
    same(200, "/v3/kv/range", "{'key':'<a>'}");
    same(200, "/v3/kv/range", "{'key':'<a>','revision':2}");
    same(200, "/v3/kv/range", "{'key':'AA==','range_end':'AA==','sort_order':'DESCEND'}");
    same(200, "/v3/kv/range", "{'key':'AA==','rangeEnd':'AA==','sortOrder':2,'limit':'1'}");
    same(200, "/v3/kv/range", "{'key':'<nothing>','count_only':true}");
    same(
        200,
        "/v3/kv/txn",
        "{'compare':[{'target':'VERSION','key':'<a>','result':'EQUAL','version':'2'}],"
            + "'success':[{'request_range':{'key':'<a>'}},"
            + "{'request_put':{'key':'<c>','value':'<4>'}},"
            + "{'request_delete_range':{'key':'<b>','prev_kv':true}}]}");
    same(
        200,
        "/v3/kv/txn",
        "{'compare':[{'target':'VALUE','key':'<a>','value':'<x>'}],"
            + "'failure':[{'request_txn':{'success':[{'request_range':{'key':'<c>'}}]}}]}");
    same(200, "/v3/kv/deleterange", "{'key':'<a>','range_end':'<b>','prev_kv':true}");
    same(200, "/v3/kv/deleterange", "{'key':'<a>'}");
    same(200, "/v3/kv/compaction", "{'revision':'3'}");
  }

  @Test
  @Order(2)
  void refusals() throws Exception {
    sameError(400, "etcdserver: key is not provided", "/v3/kv/range", "");
    sameError(400, "etcdserver: key is not provided", "/v3/kv/put", "{'value':'<a>'}");
    sameError(
        404, "etcdserver: requested lease not found", "/v3/kv/put", "{'key':'<a>','lease':9}");
    sameError(
        400,
        "etcdserver: mvcc: required revision has been compacted",
        "/v3/kv/range",
        "{'key':'<a>','revision':1}");
    sameError(
        400,
        "etcdserver: mvcc: required revision is a future revision",
        "/v3/kv/compaction",
        "{'revision':1000}");
    sameError(
        400,
        "etcdserver: duplicate key given in txn request",
        "/v3/kv/txn",
        "{'success':[{'request_put':{'key':'<a>'}},{'request_put':{'key':'<a>'}}]}");
    sameError(400, "unexpected EOF", "/v3/kv/range", "{");
    errors("/v3/nothing", "{}", 404, 404, 5, "Not Found");
    assertEquals(400, answer(etcd, "/v3/kv/range", "{'key':'<a>','sort_order':'NOPE'}").status());
    assertEquals(400, answer(ours, "/v3/kv/range", "{'key':'<a>','sort_order':'NOPE'}").status());
  }

  @Test
  @Order(3)
  void leases() throws Exception {
    same(200, "/v3/lease/grant", "{'TTL':60,'ID':'77'}");
    errors(
        "/v3/lease/grant", "{'TTL':60,'ID':77}", 412, 400, 9, "etcdserver: lease already exists");
    same(200, "/v3/kv/put", "{'key':'<leased>','lease':'77'}");
    for (String prefix : List.of("/v3/", "/v3/kv/")) {
      same(200, prefix + "lease/timetolive", "{'ID':'77','keys':true}");
      same(200, prefix + "lease/timetolive", "{'ID':'78'}");
      same(200, prefix + "lease/leases", "{}");
    }
    sameLines("/v3/lease/keepalive", "{'ID':'77'}{'ID':'78'}", 2);
    same(200, "/v3/lease/revoke", "{'ID':'77'}");
    sameError(404, "etcdserver: requested lease not found", "/v3/kv/lease/revoke", "{'ID':'77'}");
  }

  @Test
  @Order(4)
  void watches() throws Exception {
    same(200, "/v3/kv/put", "{'key':'<w>','value':'<1>'}");
    same(200, "/v3/kv/deleterange", "{'key':'<w>'}");
    sameLines(
        "/v3/watch",
        "{'create_request':{'key':'<w>','start_revision':'4','filters':['NODELETE'],'prev_kv':true}}",
        2);
    sameLines("/v3/watch", "{'create_request':{'key':'<w>','start_revision':4}}", 2);
    sameLines(
        "/v3/watch",
        "{'create_request':{'key':'<w>','watch_id':7}}{'cancel_request':{'watch_id':7}}",
        2);
  }

  @Test
  @Order(5)
  void recipes() throws Exception {
    same(200, "/v3/lease/grant", "{'TTL':60,'ID':'99'}");
    same(200, "/v3/lock/lock", "{'name':'<l>','lease':99}");
    same(200, "/v3/lock/unlock", "{'key':'<l/63>'}");
    sameError(500, "election: no leader", "/v3/election/leader", "{'name':'<e>'}");
    same(200, "/v3/election/campaign", "{'name':'<e>','lease':99,'value':'<me>'}");
    same(200, "/v3/election/leader", "{'name':'<e>'}");
    sameLines("/v3/election/observe", "{'name':'<e>'}", 1);
    String rev =
        JsonParser.parseString(send(ours, "/v3/election/leader", "{'name':'<e>'}"))
            .getAsJsonObject()
            .getAsJsonObject("kv")
            .get("create_revision")
            .getAsString();
    String leader = "'leader':{'name':'<e>','key':'<e/63>','rev':'" + rev + "','lease':'99'}";
    same(200, "/v3/election/proclaim", "{" + leader + ",'value':'<again>'}");
    same(200, "/v3/election/resign", "{" + leader + "}");
    same(200, "/v3/lease/revoke", "{'ID':'99'}");
  }

  @Test
  @Order(6)
  void cluster() throws Exception {
    same(200, "/v3/cluster/member/list", "{}");
    same(200, "/v3/maintenance/defragment", "{}");
    errors(
        "/v3/maintenance/transfer-leadership",
        "{'targetID':'5'}",
        412,
        400,
        9,
        "etcdserver: bad leader transferee");
    for (ProcessCluster each : List.of(etcd, ours)) {
      var status = answer(each, "/v3/maintenance/status", "").body().getAsJsonObject();
      assertTrue(status.keySet().containsAll(List.of("header", "version", "dbSize", "leader")));
      assertTrue(status.get("version").getAsString().startsWith("3."));
      assertTrue(answer(each, "/v3/maintenance/hash", "").body().getAsJsonObject().has("hash"));
    }
  }

  @Test
  @Order(6)
  void membersThatAreNotThere() throws Exception {
    sameError(
        400,
        "etcdserver: given member URLs are invalid",
        "/v3/cluster/member/add",
        "{'peerURLs':['nowhere']}");
    for (String path : List.of("remove", "promote")) {
      sameError(404, "etcdserver: member not found", "/v3/cluster/member/" + path, "{'ID':'5'}");
    }
    sameError(
        404,
        "etcdserver: member not found",
        "/v3/cluster/member/update",
        "{'ID':'5','peerURLs':['http://127.0.0.1:1']}");
  }

  /** 3.4 leaves the header out. */
  @Test
  @Order(6)
  void alarms() throws Exception {
    String which = "'memberID':'5','alarm':'NOSPACE'}";
    for (String body :
        List.of("{'action':'ACTIVATE'," + which, "{}", "{'action':'DEACTIVATE'," + which, "{}")) {
      Answer expected = answer(etcd, "/v3/maintenance/alarm", body);
      Answer answer = answer(ours, "/v3/maintenance/alarm", body);
      answer.body().getAsJsonObject().remove("header");
      assertEquals(expected, answer, body);
    }
  }

  /** Files differ; the lines that carry them don't. */
  @Test
  @Order(6)
  void backups() throws Exception {
    for (ProcessCluster each : List.of(etcd, ours)) {
      long bytes = 0;
      long remaining = -1;
      var response =
          GatewayRequests.HTTP.send(
              request(each, "/v3/maintenance/snapshot", ""), BodyHandlers.ofLines());
      assertEquals(200, response.statusCode());
      for (String line : response.body().toList()) {
        JsonObject result =
            JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("result");
        int blob =
            result.has("blob")
                ? Base64.getDecoder().decode(result.get("blob").getAsString()).length
                : 0;
        long left = result.has("remaining_bytes") ? result.get("remaining_bytes").getAsLong() : 0;
        assertTrue(remaining <= 0 || left == remaining - blob, line.length() + " " + left);
        bytes += blob;
        remaining = left;
      }
      assertEquals(0, remaining);
      // The digest at the end comes on top of whole pages.
      assertEquals(32, bytes % 4096);
    }
  }

  @Test
  @Order(7)
  void users() throws Exception {
    same(200, "/v3/auth/role/add", "{'name':'root'}");
    same(200, "/v3/auth/role/add", "{'name':'r'}");
    same(
        200,
        "/v3/auth/role/grant",
        "{'name':'r','perm':{'permType':'READWRITE','key':'<a>','range_end':'<b>'}}");
    same(200, "/v3/auth/role/get", "{'role':'r'}");
    same(200, "/v3/auth/role/list", "{}");
    same(200, "/v3/auth/user/add", "{'name':'root','password':'p'}");
    same(200, "/v3/auth/user/add", "{'name':'u','password':'p'}");
    same(200, "/v3/auth/user/changepw", "{'name':'u','password':'q'}");
    same(200, "/v3/auth/user/grant", "{'user':'root','role':'root'}");
    same(200, "/v3/auth/user/grant", "{'user':'u','role':'r'}");
    same(200, "/v3/auth/user/get", "{'name':'u'}");
    same(200, "/v3/auth/user/list", "{}");
    same(200, "/v3/auth/enable", "{}");
    sameError(400, "etcdserver: user name is empty", "/v3/kv/put", "{'key':'<a>'}");
    sameError(
        400,
        "etcdserver: authentication failed, invalid user ID or password",
        "/v3/auth/authenticate",
        "{'name':'u','password':'p'}");
    login("{'name':'u','password':'q'}");
    same(200, "/v3/kv/put", "{'key':'<a>'}");
    sameError(403, "etcdserver: permission denied", "/v3/kv/put", "{'key':'<z>'}");
    login("{'name':'root','password':'p'}");
    same(200, "/v3/auth/user/revoke", "{'name':'u','role':'r'}");
    same(200, "/v3/auth/user/delete", "{'name':'u'}");
    same(200, "/v3/auth/role/revoke", "{'role':'r','key':'<a>','range_end':'<b>'}");
    same(200, "/v3/auth/role/delete", "{'role':'r'}");
    same(200, "/v3/auth/disable", "{}");
  }

  @Test
  @Order(8)
  void noPathWasLeftOut() throws Exception {
    Set<String> left = new TreeSet<>(PATHS);
    left.removeAll(ASKED);
    assertEquals(LATER, left);
    for (String path : LATER) {
      assertEquals(
          404, GatewayRequests.post(etcd, "/v3/" + path, "{}").statusCode(), "3.4 has no " + path);
    }
  }

  private static void login(String credentials) throws Exception {
    tokens = Map.of();
    tokens = Map.of(etcd, token(etcd, credentials), ours, token(ours, credentials));
  }

  private static String token(ProcessCluster cluster, String credentials) throws Exception {
    return JsonParser.parseString(send(cluster, "/v3/auth/authenticate", credentials))
        .getAsJsonObject()
        .get("token")
        .getAsString();
  }
}
