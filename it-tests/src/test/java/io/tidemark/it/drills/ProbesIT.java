package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import io.tidemark.it.support.Scrape;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What probes and scrapers see of members in every state: healthy, slow, cut off, without a leader,
 * under an alarm, starting, stopping. The texts are etcd's.
 */
@Tag("clients")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ProbesIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final long SLOW_MILLIS = 250;
  private static final int TERMINATED = 128 + 15;
  private static final String HEALTHY = "200 {\"health\":\"true\",\"reason\":\"\"}";
  private static final String NO_LEADER =
      "503 {\"health\":\"false\",\"reason\":\"RAFT NO LEADER\"}";
  private static final String READY =
      "200 [+]data_corruption ok\n[+]serializable_read ok\n[+]linearizable_read ok\n"
          + "[+]non_learner ok\nok\n";
  private static final String UNREADY =
      "503 [+]data_corruption ok\n[+]serializable_read ok\n[-]linearizable_read failed: "
          + "etcdserver: request timed out\n[+]non_learner ok\n";

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() {
    Assumptions.assumeTrue(Product.underTest() == Product.TIDEMARK);
    cluster =
        CLUSTERS.start(
            ClusterPlan.of(3)
                .onLinks()
                .flags("--warning-unary-request-duration=" + SLOW_MILLIS + "ms"));
  }

  private static HttpRequest request(int member, String path) {
    return HttpRequest.newBuilder(url(member).resolve(path)).timeout(LIMIT).build();
  }

  private static URI url(int member) {
    return cluster.member(member).spec().clientUrl();
  }

  private static String told(HttpResponse<String> answer) {
    return answer.statusCode() + " " + answer.body();
  }

  private static String probe(int member, String path) throws Exception {
    return told(HTTP.send(request(member, path), BodyHandlers.ofString()));
  }

  private static CompletableFuture<String> probing(int member, String path) {
    return HTTP.sendAsync(request(member, path), BodyHandlers.ofString()).thenApply(ProbesIT::told);
  }

  private static String told(CompletableFuture<String> answer) throws Exception {
    return answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private static void awaitHealth(int member, String wanted) {
    Await.until(
        wanted + " of m" + member,
        LIMIT,
        () -> {
          try {
            return probe(member, "/health").equals(wanted);
          } catch (IOException down) {
            return false;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  /** The rows of {@code docs/metrics.md} that say one of these in the column "Here". */
  private static Map<String, String> documented(Set<String> here) throws IOException {
    return Files.readAllLines(Product.checkout().resolve("docs/metrics.md")).stream()
        .filter(line -> line.startsWith("| `") && !line.contains("*`"))
        .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
        .filter(cells -> cells.size() > 4 && here.contains(cells.get(4)))
        .collect(
            Collectors.toMap(
                cells -> family(cells.get(1).replace("`", ""), cells.get(2)),
                cells ->
                    Scrape.shape(
                        cells.get(2),
                        Arrays.stream(cells.get(3).split(", *"))
                            .sorted()
                            .collect(Collectors.joining(", "))),
                (one, other) -> one,
                TreeMap::new));
  }

  private static String family(String name, String type) {
    return type.equals("counter") ? name.replaceFirst("_total$", "") : name;
  }

  /** Under etcd's names there is what the table says, and nothing else. */
  private static void showsWhatIsDocumented(int member, Set<String> here, Set<String> maybe)
      throws IOException {
    Map<String, String> page = Scrape.of(url(member));
    page.keySet().removeIf(name -> name.matches("(tidemark|jvm|ratis)_.*"));
    Map<String, String> expected = documented(here);
    Map<String, String> allowed = documented(maybe);
    allowed.forEach(
        (name, shape) -> {
          if (page.containsKey(name)) {
            expected.put(name, shape);
          }
        });
    assertEquals(expected, page);
  }

  @Test
  @Order(1)
  void healthyMembers() throws Exception {
    int leader = cluster.awaitLeader();
    cluster.client(cluster.otherThan(leader)).put("k", "v").answer();
    for (int member = 0; member < 3; member++) {
      assertEquals(HEALTHY, probe(member, "/health"));
      assertEquals("200 ok\n", probe(member, "/livez"));
      assertEquals("200 [+]serializable_read ok\nok\n", probe(member, "/livez?verbose"));
      assertEquals(READY, probe(member, "/readyz?verbose"));
      assertEquals("200 ok\n", probe(member, "/readyz/non_learner"));
      assertEquals("404 404 page not found\n", probe(member, "/livez/non_learner"));
      boolean leads = member == leader;
      showsWhatIsDocumented(
          member, leads ? Set.of("yes", "peers") : Set.of("yes"), Set.of("peers"));
    }
    for (String stage : List.of("queue", "append", "commit", "apply", "reply")) {
      String count = "tidemark_write_" + stage + "_seconds_count";
      assertTrue(cluster.metrics(leader).get(count) > 0, count);
    }
    assertEquals(0, cluster.metrics(leader).get("etcd_server_proposals_pending"));
    assertTrue(cluster.metrics(leader).get("etcd_server_leader_changes_seen_total") >= 1);
    String other = memberId(cluster.otherThan(leader));
    for (String sample :
        List.of(
            "tidemark_write_replicate_seconds_count{To=\"" + other + "\"}",
            "etcd_network_peer_sent_bytes_total{To=\"" + other + "\"}",
            "etcd_network_peer_received_bytes_total{From=\"" + other + "\"}")) {
      assertTrue(cluster.metrics(leader).get(sample) > 0, sample);
    }
  }

  private static String memberId(int member) {
    return Long.toHexString(cluster.client(member).status().answer().getHeader().getMemberId());
  }

  /** A write that a majority takes its time for says so in the log. */
  @Test
  @Order(2)
  void theLogNamesTheStageThatWasSlow() throws Exception {
    int leader = cluster.awaitLeader();
    List<MemberProcess> followers = cluster.allBut(leader).stream().map(cluster::member).toList();
    MemberClient client = cluster.client(leader);
    for (int n = 0; n < 50; n++) {
      client.put("warm", "" + n).answer(); // a new process is slow at everything
    }
    followers.forEach(MemberProcess::pause);
    CompletableFuture<Boolean> put =
        CompletableFuture.supplyAsync(() -> client.put("slow", "s3cret").answered());
    try {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * SLOW_MILLIS);
      Await.until(
          "a put that waits for long",
          LIMIT,
          () ->
              cluster.metrics(leader).get("etcd_server_proposals_pending") == 1
                  && System.nanoTime() - end > 0);
    } finally {
      followers.forEach(MemberProcess::resume);
    }
    assertTrue(put.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
    String line =
        cluster
            .member(leader)
            .output()
            .awaitLine(
                "the slow put",
                text -> text.contains("request stats") && text.contains("slow\\\" value_size"),
                LIMIT);
    JsonObject entry = JsonParser.parseString(line).getAsJsonObject();
    assertEquals("warn", entry.get("level").getAsString());
    assertEquals("commit", entry.get("longest stage").getAsString());
    assertEquals("key:\"slow\" value_size:6", entry.get("request").getAsString());
  }

  @Test
  @Order(3)
  void aMemberThatIsCutOffLivesAndIsNotReady() throws Exception {
    int leader = cluster.awaitLeader();
    int alone = cluster.otherThan(leader);
    cluster.links().isolate(alone);
    awaitHealth(alone, NO_LEADER);
    CompletableFuture<String> ready = probing(alone, "/readyz?verbose");
    CompletableFuture<String> single = probing(alone, "/readyz/linearizable_read");
    assertEquals(HEALTHY, probe(alone, "/health?serializable=true"));
    assertEquals("200 ok\n", probe(alone, "/livez"));
    assertEquals("200 ok\n", probe(alone, "/readyz?exclude=linearizable_read&exclude=nothing"));
    assertEquals("200 ok\n", probe(alone, "/readyz/serializable_read"));
    showsWhatIsDocumented(alone, Set.of("yes"), Set.of("peers"));
    assertEquals(0, cluster.metrics(alone).get("etcd_server_has_leader"));
    assertEquals(UNREADY, told(ready));
    assertEquals("503 [-]linearizable_read failed: etcdserver: request timed out\n", told(single));
    assertTrue(cluster.metrics(alone).get("etcd_server_read_indexes_failed_total") >= 2);
    assertEquals(
        0,
        cluster
            .metrics(alone)
            .get("etcd_server_healthcheck{type=\"readyz\",name=\"linearizable_read\"}"));
    String unheard = "etcd_network_peer_sent_failures_total{To=\"" + memberId(alone) + "\"}";
    Await.until(
        "a silent follower is counted", LIMIT, () -> cluster.metrics(leader).get(unheard) > 0);
    assertEquals(HEALTHY, probe(leader, "/health"));
    cluster.links().heal();
    awaitHealth(alone, HEALTHY);
    assertEquals(READY, probe(alone, "/readyz?verbose"));
  }

  @Test
  @Order(4)
  void alarms() throws Exception {
    int member = cluster.awaitLeader();
    MemberClient client = cluster.client(member);
    alarm(client, AlarmRequest.AlarmAction.ACTIVATE, AlarmType.NOSPACE);
    assertEquals(
        "503 {\"health\":\"false\",\"reason\":\"ALARM NOSPACE\"}", probe(member, "/health"));
    assertEquals(HEALTHY, probe(member, "/health?exclude=NOSPACE"));
    assertEquals("200 ok\n", probe(member, "/readyz"));
    alarm(client, AlarmRequest.AlarmAction.ACTIVATE, AlarmType.CORRUPT);
    assertEquals(
        "503 {\"health\":\"false\",\"reason\":\"ALARM CORRUPT\"}",
        probe(member, "/health?exclude=NOSPACE"));
    assertEquals(HEALTHY, probe(member, "/health?exclude=NOSPACE&exclude=CORRUPT"));
    assertEquals("200 ok\n", probe(member, "/livez"));
    assertEquals(
        "503 [-]data_corruption failed: alarm activated: CORRUPT\n[+]serializable_read ok\n"
            + "[+]linearizable_read ok\n[+]non_learner ok\n",
        probe(member, "/readyz"));
    assertEquals("200 ok\n", probe(member, "/readyz?exclude=data_corruption"));
    showsWhatIsDocumented(member, Set.of("yes", "peers"), Set.of());
    for (String type : List.of("NOSPACE", "CORRUPT")) {
      String sample =
          "etcd_debugging_server_alarms{server_id=\""
              + memberId(member)
              + "\",alarm_type=\""
              + type
              + "\"}";
      assertEquals(1, cluster.metrics(member).get(sample), sample);
    }
    alarm(client, AlarmRequest.AlarmAction.DEACTIVATE, AlarmType.NOSPACE);
    alarm(client, AlarmRequest.AlarmAction.DEACTIVATE, AlarmType.CORRUPT);
    assertEquals(HEALTHY, probe(member, "/health"));
  }

  private static void alarm(MemberClient client, AlarmRequest.AlarmAction action, AlarmType type) {
    long id = client.status().answer().getHeader().getMemberId();
    client
        .alarm(AlarmRequest.newBuilder().setAction(action).setMemberID(id).setAlarm(type).build())
        .answer();
  }

  /** The leader is killed: the others have one again; it comes back alone: it waits for them. */
  @Test
  @Order(5)
  void aLostLeaderAndAMemberThatStarts() throws Exception {
    int leader = cluster.awaitLeader();
    Set<Integer> rest = cluster.allBut(leader);
    cluster.kill(leader);
    for (int member : rest) {
      awaitHealth(member, HEALTHY);
      assertEquals(READY, probe(member, "/readyz?verbose"));
    }
    rest.forEach(cluster::kill);
    cluster.member(leader).start();
    awaitHealth(leader, NO_LEADER);
    CompletableFuture<String> ready = probing(leader, "/readyz?verbose");
    assertEquals(HEALTHY, probe(leader, "/health?serializable=true"));
    assertEquals("200 [+]serializable_read ok\nok\n", probe(leader, "/livez?verbose"));
    showsWhatIsDocumented(leader, Set.of("yes"), Set.of("peers"));
    cluster.restartAll(rest);
    // Whoever asked before the others came back has waited for them, or not long enough.
    assertTrue(Set.of(READY, UNREADY).contains(told(ready)));
    awaitHealth(leader, HEALTHY);
    assertEquals(READY, probe(leader, "/readyz?verbose"));
  }

  /** Until a member that was told to stop has gone, it says nothing that isn't so. */
  @Test
  @Order(6)
  void aMemberThatStops() throws Exception {
    int member = cluster.awaitLeader();
    Set<String> said = new HashSet<>();
    cluster.member(member).terminate();
    boolean refused = false;
    while (!refused) {
      try {
        said.add(probe(member, "/readyz"));
      } catch (ConnectException gone) {
        refused = true;
      } catch (IOException cut) {
        said.add("cut off");
      }
    }
    said.removeAll(Set.of("200 ok\n", "cut off"));
    assertTrue(said.stream().allMatch(text -> text.startsWith("503 ")), said::toString);
    assertEquals(TERMINATED, cluster.member(member).awaitExit(LIMIT));
    for (int other : cluster.allBut(member)) {
      awaitHealth(other, HEALTHY);
    }
  }
}
