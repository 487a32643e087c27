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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases, locks and elections with the distribution's unmodified etcdctl, against each member. */
@Tag("clients")
class EtcdctlLeaseIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Pattern GRANTED =
      Pattern.compile("lease ([0-9a-f]{16}) granted with TTL\\(60s\\)\n");

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

  private static void matches(String expected, Command command) {
    Ended ended = command.run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    assertTrue(ended.out().matches(expected), ended::all);
  }

  private static String grant(int member) {
    Ended ended = etcdctl(member).with("lease", "grant", "60").run(LIMIT);
    Matcher granted = GRANTED.matcher(ended.out());
    assertTrue(granted.matches(), ended::all);
    return granted.group(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aLeaseFromGrantToRevoke(int member) {
    int other = (member + 1) % 3;
    String id = grant(member);
    String key = "leased" + member;
    prints("OK\n", etcdctl(other).with("put", "--lease=" + id, key, "v"));
    String left = "lease " + id + " granted with TTL\\(60s\\), remaining\\((60|5\\d)s\\)";
    matches(left + "\n", etcdctl(member).with("lease", "timetolive", id));
    matches(
        left + ", attached keys\\(\\[" + key + "\\]\\)\n",
        etcdctl(other).with("lease", "timetolive", "--keys", id));
    prints(
        "lease " + id + " keepalived with TTL(60)\n",
        etcdctl(member).with("lease", "keep-alive", "--once", id));
    Ended listed = etcdctl(member).with("lease", "list").run(LIMIT);
    assertTrue(listed.out().lines().anyMatch(id::equals), listed::all);
    prints("lease " + id + " revoked\n", etcdctl(other).with("lease", "revoke", id));
    prints("", etcdctl(member).with("get", key));
    prints("lease " + id + " already expired\n", etcdctl(member).with("lease", "timetolive", id));
    Ended gone = etcdctl(member).with("lease", "keep-alive", "--once", id).run(LIMIT);
    assertEquals(2, gone.code(), gone::all);
    assertTrue(gone.err().contains("etcdserver: requested lease not found"), gone::all);
    Ended refused = etcdctl(member).with("lease", "revoke", id).run(LIMIT);
    assertEquals(1, refused.code(), refused::all);
    assertTrue(refused.err().contains("etcdserver: requested lease not found"), refused::all);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void whoWaitsForALockGetsItWhenItsHolderEnds(int member) {
    String name = "lock" + member;
    try (Running holder =
        etcdctl(member)
            .with("lock", "--ttl=60", name)
            .start(cluster.directory().resolve("holder" + member + ".log"))) {
      holder.output().awaitLine("the lock", line -> line.startsWith(name + "/"), LIMIT);
      try (Running waiter =
          etcdctl((member + 1) % 3)
              .with("lock", name, "echo", "mine")
              .start(cluster.directory().resolve("waiter" + member + ".log"))) {
        awaitKeys(member, name + "/", 2);
        assertEquals(List.of(), waiter.output().lines());
        holder.process().destroy();
        waiter.output().awaitLine("its turn", "mine"::equals, LIMIT);
      }
    }
    awaitKeys(member, name + "/", 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void anElectionIsSeenByItsObserver(int member) {
    String name = "election" + member;
    try (Running leader =
            etcdctl(member)
                .with("elect", name, "first")
                .start(cluster.directory().resolve("leader" + member + ".log"));
        Running observer =
            etcdctl((member + 1) % 3)
                .with("elect", "-l", name)
                .start(cluster.directory().resolve("observer" + member + ".log"))) {
      leader.output().awaitLine("its election", "first"::equals, LIMIT);
      observer.output().awaitLine("the leader", "first"::equals, LIMIT);
      try (Running next =
          etcdctl((member + 2) % 3)
              .with("elect", name, "second")
              .start(cluster.directory().resolve("next" + member + ".log"))) {
        awaitKeys(member, name + "/", 2);
        leader.process().destroy();
        next.output().awaitLine("its election", "second"::equals, LIMIT);
        observer.output().awaitLine("the next leader", "second"::equals, LIMIT);
      }
    }
  }

  private static void awaitKeys(int member, String prefix, int wanted) {
    String counted = "";
    while (!counted.equals("" + wanted)) {
      Ended ended = etcdctl(member).with("get", "--prefix", "--keys-only", prefix).run(LIMIT);
      counted = "" + ended.out().lines().filter(line -> line.startsWith(prefix)).count();
    }
  }
}
