package io.tidemark.it.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Command.Running;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The distribution's unmodified etcdctl against each member: what it prints is what etcd's is. */
@Tag("clients")
class EtcdctlIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() {
    cluster = CLUSTERS.start(ClusterPlan.of(3));
  }

  private static Command etcdctl(int member) {
    return Command.of("etcdctl", "--endpoints=" + cluster.endpoint(member))
        .env(Map.of("ETCDCTL_API", "3"));
  }

  private static void prints(String expected, Command command) {
    Ended ended = command.run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    assertEquals(expected, ended.out(), ended::all);
  }

  private static void fails(String error, Command command) {
    Ended ended = command.run(LIMIT);
    assertEquals(1, ended.code(), ended::all);
    assertTrue(ended.err().contains(error), ended::all);
  }

  private static long revision(int member) {
    return cluster.client(member).get("health").answer().getHeader().getRevision();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void putGetDelete(int member) {
    String key = "k" + member;
    prints("OK\n", etcdctl(member).with("put", key + "a", "1"));
    prints("OK\n", etcdctl(member).with("put", key + "b", "2"));
    prints("OK\n" + key + "a\n1\n", etcdctl(member).with("put", "--prev-kv", key + "a", "3"));
    prints(key + "a\n3\n", etcdctl(member).with("get", key + "a"));
    prints("", etcdctl(member).with("get", key + "absent"));
    prints("3\n2\n", etcdctl(member).with("get", "--prefix", "--print-value-only", key));
    prints(
        key + "b\n\n" + key + "a\n\n",
        etcdctl(member).with("get", "--prefix", "--keys-only", "--order=DESCEND", key));
    prints(
        key + "a\n1\n", etcdctl(member).with("get", "--rev=" + (revision(member) - 2), key + "a"));
    prints(key + "b\n2\n", etcdctl(member).with("get", "--consistency=s", key + "b"));
    prints("1\n" + key + "a\n3\n", etcdctl(member).with("del", "--prev-kv", key + "a"));
    prints("1\n", etcdctl(member).with("del", "--prefix", key));
    prints("0\n", etcdctl(member).with("del", key + "a"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void txn(int member) {
    String key = "txn" + member;
    String text = "ver(\"%s\") = \"0\"\n\nput %s new\n\nget %s\n\n".formatted(key, key, key);
    prints("SUCCESS\n\nOK\n", etcdctl(member).with("txn").reading(text));
    prints("FAILURE\n\n" + key + "\nnew\n", etcdctl(member).with("txn").reading(text));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void watch(int member) {
    String key = "watched" + member;
    etcdctl(member).with("put", key, "old").run(LIMIT);
    long from = revision(member);
    try (Running watch =
        etcdctl(member)
            .with("watch", "--prev-kv", "--rev=" + from, key)
            .start(cluster.directory().resolve("watch" + member + ".log"))) {
      prints("OK\n", etcdctl((member + 1) % 3).with("put", key, "live"));
      prints("1\n", etcdctl((member + 2) % 3).with("del", key));
      watch.output().awaitLine("the delete", "DELETE"::equals, LIMIT);
      watch.output().awaitLine("its last line", lastOf(key), LIMIT);
      assertEquals(
          List.of("PUT", key, "old", "PUT", key, "old", key, "live", "DELETE", key, "live", key),
          watch.output().lines().stream().filter(line -> !line.isEmpty()).limit(12).toList());
    }
  }

  /** The key closes the delete's record; by then it has been printed five times. */
  private static Predicate<String> lastOf(String key) {
    int[] seen = {0};
    return line -> line.equals(key) && ++seen[0] == 5;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void compaction(int member) {
    String key = "compacted" + member;
    etcdctl(member).with("put", key, "1").run(LIMIT);
    etcdctl(member).with("put", key, "2").run(LIMIT);
    long revision = revision(member);
    prints(
        "compacted revision " + revision + "\n", etcdctl(member).with("compaction", "" + revision));
    fails(
        "etcdserver: mvcc: required revision has been compacted",
        etcdctl(member).with("get", "--rev=" + (revision - 1), key));
    fails(
        "etcdserver: mvcc: required revision is a future revision",
        etcdctl(member).with("compaction", "" + (revision + 100)));
    prints(key + "\n2\n", etcdctl(member).with("get", "--rev=" + revision, key));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void memberList(int member) {
    Ended ended = etcdctl(member).with("member", "list").run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    List<String> shown =
        ended.out().lines().map(line -> line.substring(line.indexOf(',') + 2)).sorted().toList();
    List<String> expected =
        List.of(0, 1, 2).stream()
            .map(i -> cluster.member(i).spec())
            .map(
                spec ->
                    "started, %s, %s, %s, false"
                        .formatted(spec.name(), spec.peerUrl(), spec.clientUrl()))
            .toList();
    assertEquals(expected, shown);
    assertTrue(
        ended.out().lines().allMatch(line -> line.matches("[0-9a-f]{1,16}, .*")), ended::all);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void endpointStatus(int member) {
    Ended ended = etcdctl(member).with("endpoint", "status").run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    boolean leads = cluster.awaitLeader() == member;
    assertTrue(
        ended
            .out()
            .matches(
                "%s, [0-9a-f]{1,16}, 3\\.\\d+\\.\\d+, [0-9.]+ [kMG]?B, %s, false, \\d+, \\d+, \\d+, \n"
                    .formatted(cluster.endpoint(member), leads)),
        ended::all);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void endpointHealth(int member) {
    Ended ended = etcdctl(member).with("endpoint", "health").run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    assertTrue(
        (ended.out() + ended.err())
            .matches(
                "%s is healthy: successfully committed proposal: took = [0-9.µm]+s\n"
                    .formatted(cluster.endpoint(member))),
        ended::all);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void refusals(int member) {
    fails("etcdserver: key is not provided", etcdctl(member).with("put", "", "v"));
    fails(
        "etcdserver: requested lease not found",
        etcdctl(member).with("put", "--lease=7777", "leased", "v"));
    fails(
        "etcdserver: duplicate key given in txn request",
        etcdctl(member).with("txn").reading("\nput twice 1\nput twice 2\n\n\n"));
  }
}
