package io.tidemark.it.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.it.client.WatchProbe;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Command.Running;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our own command line against each member: etcdctl's spelling, output and exit codes. */
@Tag("clients")
class TidemarkctlIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "ours only");
    cluster = CLUSTERS.start(ClusterPlan.of(3));
  }

  private static Command ctl(String... words) {
    return Command.of(Product.script("tidemarkctl").toString()).with(words);
  }

  private static Command ctl(int member, String... words) {
    return ctl("--endpoints=" + cluster.endpoint(member)).with(words);
  }

  private static void prints(String expected, Command command) {
    Ended ended = command.run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    assertEquals(expected, ended.out(), ended::all);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void putGetDelete(int member) {
    String key = "ctl" + member;
    prints("OK\n", ctl(member, "put", key, "1"));
    prints(key + "\n1\n", ctl((member + 1) % 3, "get", key));
    prints("1\n", ctl((member + 2) % 3, "get", "--print-value-only", "--prefix", key));
    prints("1\n", ctl(member, "del", key));
    prints("", ctl((member + 1) % 3, "get", key));
  }

  @Test
  void endpointStatusOfTheWholeCluster() {
    int leader = cluster.awaitLeader();
    Ended ended = ctl("--endpoints=" + cluster.endpoints(), "endpoint", "status").run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    List<String> lines = ended.out().lines().toList();
    assertEquals(cluster.size(), lines.size(), ended::all);
    for (int i = 0; i < cluster.size(); i++) {
      String line = lines.get(i);
      assertTrue(line.startsWith(cluster.endpoint(i) + ", "), line);
      assertTrue(line.contains(i == leader ? "true, false" : "false, false"), line);
      // Its last two fields: entries behind the leader's commit, and how old that news is.
      assertTrue(line.matches(".*, \\d+, [0-9.]+(ms|s|µs)"), line);
    }
  }

  /** One member asked for the whole list; a watcher, so that there is something to count. */
  @Test
  void topShowsEveryMember() {
    int leader = cluster.awaitLeader();
    String key = "ctl-top";
    cluster.client(leader).put(key, "1").answer();
    try (WatchProbe watch = cluster.client(leader).watch()) {
      watch.create(key, "", 0).awaitCreated(0);
      Ended ended =
          ctl(0, "top", "--cluster", "--once", "--interval=500ms", "-w", "json").run(LIMIT);
      assertEquals(0, ended.code(), ended::all);
      JsonArray members =
          JsonParser.parseString(ended.out()).getAsJsonObject().getAsJsonArray("members");
      assertEquals(3, members.size());
      int leaders = 0;
      for (JsonElement element : members) {
        JsonObject member = element.getAsJsonObject();
        boolean leads = member.get("role").getAsString().equals("leader");
        leaders += leads ? 1 : 0;
        assertTrue(leads || member.get("role").getAsString().equals("follower"), ended::all);
        assertTrue(member.get("revision").getAsLong() >= 2, ended::all);
        assertEquals(0, member.get("lag_entries").getAsLong(), ended::all);
        assertTrue(member.get("writes_per_second").getAsDouble() >= 0, ended::all);
        assertEquals(
            leads ? 1 : 0, member.getAsJsonObject("watchers").get("synced").getAsInt(), ended::all);
        assertEquals(0, member.getAsJsonArray("errors").size(), ended::all);
      }
      assertEquals(1, leaders, ended::all);
    }
    Ended plain =
        ctl("--endpoints=" + cluster.endpoints(), "top", "--once", "--interval=1ms").run(LIMIT);
    assertEquals(4, plain.out().lines().count(), plain::all);
    assertTrue(plain.out().startsWith("ENDPOINT"), plain::all);
    Ended nobody = ctl("--endpoints=127.0.0.1:1", "top", "--once", "--interval=1ms").run(LIMIT);
    assertEquals(1, nobody.code(), nobody::all);
    assertTrue(nobody.out().contains(" down "), nobody::all);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void watch(int member) {
    String key = "ctl-watched" + member;
    long from = cluster.client(member).put(key, "old").answer().getHeader().getRevision();
    try (Running watch =
        ctl(member, "watch", "--rev=" + from, key)
            .start(cluster.directory().resolve("ctl-watch" + member + ".log"))) {
      watch.output().awaitLine("the old value", "old"::equals, LIMIT);
      cluster.client((member + 1) % 3).put(key, "live").answer();
      watch.output().awaitLine("the live value", "live"::equals, LIMIT);
      assertEquals(
          List.of("PUT", key, "old", "PUT", key, "live"), watch.output().lines(), "output");
    }
  }

  @Test
  void refusalIsPrintedAndFails() {
    Ended ended = ctl(0, "put", "", "v").run(LIMIT);
    assertEquals(1, ended.code(), ended::all);
    assertTrue(ended.err().contains("etcdserver: key is not provided"), ended::all);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void leasesLocksAndElections(int member) {
    Ended granted = ctl(member, "lease", "grant", "60").run(LIMIT);
    assertTrue(
        granted.out().matches("lease [0-9a-f]{16} granted with TTL\\(60s\\)\n"), granted::all);
    String id = granted.out().substring(6, 22);
    String key = "ctl-leased" + member;
    prints("OK\n", ctl(member, "put", "--lease=" + id, key, "v"));
    Ended left = ctl((member + 1) % 3, "lease", "timetolive", "--keys", id).run(LIMIT);
    assertTrue(left.out().endsWith("), attached keys([" + key + "])\n"), left::all);
    prints(
        "lease " + id + " keepalived with TTL(60)\n",
        ctl((member + 2) % 3, "lease", "keep-alive", "--once", id));
    prints("lease " + id + " revoked\n", ctl(member, "lease", "revoke", id));
    prints("lease " + id + " already expired\n", ctl(member, "lease", "timetolive", id));
    prints("mine\n", ctl(member, "lock", "ctl-lock" + member, "echo", "mine"));
    String election = "ctl-election" + member;
    try (Running leader =
            ctl(member, "elect", election, "me")
                .start(cluster.directory().resolve("ctl-leader" + member + ".log"));
        Running observer =
            ctl((member + 1) % 3, "elect", "-l", election)
                .start(cluster.directory().resolve("ctl-observer" + member + ".log"))) {
      leader.output().awaitLine("its election", "me"::equals, LIMIT);
      observer.output().awaitLine("the leader", "me"::equals, LIMIT);
    }
  }

  /** One of them follows the queue itself, the other one has the member follow it. */
  @Test
  void contendsWithEtcdctlForOneLock() {
    Command theirs =
        Command.of("etcdctl", "--endpoints=" + cluster.endpoint(0))
            .env(Map.of("ETCDCTL_API", "3"))
            .with("lock", "both", "--ttl=60");
    try (Running etcdctl = theirs.start(cluster.directory().resolve("both-etcdctl.log"))) {
      etcdctl.output().awaitLine("the lock", line -> line.startsWith("both/"), LIMIT);
      try (Running ours =
          ctl(1, "lock", "both", "echo", "mine")
              .start(cluster.directory().resolve("both-ctl.log"))) {
        Await.until(
            "two in the queue",
            LIMIT,
            () ->
                ctl(2, "get", "--prefix", "--keys-only", "both/")
                        .run(LIMIT)
                        .out()
                        .lines()
                        .filter(line -> line.startsWith("both/"))
                        .count()
                    == 2);
        assertEquals(List.of(), ours.output().lines());
        etcdctl.process().destroy();
        ours.output().awaitLine("its turn", "mine"::equals, LIMIT);
      }
    }
  }

  @Test
  void memberAddUpdatePromoteRemove() {
    Ended added =
        ctl(0, "member", "add", "fresh", "--learner", "--peer-urls=http://127.0.0.1:1").run(LIMIT);
    assertEquals(0, added.code(), added::all);
    Matcher id = Pattern.compile("Member +([0-9a-f]+) added to cluster.*").matcher(added.out());
    assertTrue(id.find(), added::all);
    String rest = added.out().substring(id.end());
    assertTrue(rest.startsWith("\n\nETCD_NAME=\"fresh\"\nETCD_INITIAL_CLUSTER=\""), added::all);
    assertTrue(rest.contains("fresh=http://127.0.0.1:1"), added::all);
    assertTrue(
        rest.endsWith(
            "\"\nETCD_INITIAL_ADVERTISE_PEER_URLS=\"http://127.0.0.1:1\"\n"
                + "ETCD_INITIAL_CLUSTER_STATE=\"existing\"\n"),
        added::all);
    String hex = id.group(1);
    changes("updated in", hex, "update", hex, "--peer-urls=http://127.0.0.1:3");
    Ended early = ctl(1, "member", "promote", hex).run(LIMIT);
    assertEquals(1, early.code(), early::all);
    assertEquals(
        "Error: etcdserver: can only promote a learner member which is in sync with leader\n",
        early.err());
    changes("removed from", hex, "remove", hex);
    Ended twice = ctl(2, "member", "remove", hex).run(LIMIT);
    assertEquals("Error: etcdserver: member not found\n", twice.err(), twice::all);
  }

  private static void changes(String what, String id, String... words) {
    Ended ended = ctl(1, "member").with(words).run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    assertTrue(ended.out().startsWith("Member %16s %s cluster ".formatted(id, what)), ended::all);
  }
}
