package io.tidemark.it.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The distribution's etcdctl says the same of etcd and of a cluster of ours, whose members take
 * turns: exit codes, output and errors of everything it does with users, roles and passwords.
 */
@Tag("security")
class EtcdctlUsersIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Words of one command each; before the bar who does it. */
  private static final List<String> SCRIPT =
      List.of(
          "|auth enable", // refused, and etcdctl then makes root's role of its own accord
          "|user add root:r",
          "|user add root:x",
          "|user add --new-user-password=x ",
          "|user add nopw --no-password",
          "|user add alice:a",
          "|user add bob:b",
          "|role add root",
          "|role add readers",
          "|role add readers",
          "|role add writers",
          "|user grant-role root root",
          "|user grant-role root root",
          "|user grant-role ghost readers",
          "|user grant-role alice ghost",
          "|user grant-role alice readers",
          "|user grant-role alice writers",
          "|user revoke-role alice ghost",
          "|user revoke-role ghost readers",
          "|user get alice",
          "|user get alice --detail",
          "|user get ghost",
          "|user list",
          "|role grant-permission readers read a c",
          "|role grant-permission readers read x --from-key",
          "|role grant-permission writers readwrite b",
          "|role grant-permission writers write p --prefix",
          "|role grant-permission ghost read a",
          "|role revoke-permission readers zzz",
          "|role revoke-permission ghost a",
          "|role get readers",
          "|role get writers",
          "|role get ghost",
          "|role list",
          "|role delete ghost",
          "|user delete ghost",
          "alice:a|get a", // users don't matter yet
          "|auth enable",
          "|auth enable",
          "|get a",
          "|put a 1",
          "|del a",
          "|user list",
          "alice:wrong|get a",
          "ghost:x|get a",
          "nopw:x|get a",
          "alice:a|auth enable",
          "alice:a|auth disable",
          "alice:a|put a 1",
          "alice:a|put b 1",
          "alice:a|put b 2 --prev-kv",
          "alice:a|put p1 1",
          "alice:a|put p1 1 --prev-kv",
          "alice:a|get a",
          "alice:a|get b",
          "alice:a|get a c",
          "alice:a|get a d",
          "alice:a|get x --from-key",
          "alice:a|get w --from-key",
          "alice:a|get --prefix a",
          "alice:a|get b --consistency=s",
          "alice:a|get c --consistency=s",
          "alice:a|del b --prev-kv",
          "alice:a|del p --prefix",
          "alice:a|del p --prefix --prev-kv",
          "alice:a|del a",
          "bob:b|get a",
          "alice:a|user get alice",
          "alice:a|user get bob",
          "alice:a|user list",
          "alice:a|role get readers",
          "alice:a|role get root",
          "alice:a|role list",
          "alice:a|user add carol:c",
          "alice:a|role add more",
          "alice:a|user grant-role alice root",
          "root:r|put z 1",
          "root:r|get z",
          "root:r|user delete root",
          "root:r|role delete root",
          "root:r|user revoke-role root root",
          "root:r|role revoke-permission readers a c",
          "alice:a|get a",
          "root:r|role delete readers",
          "root:r|user get alice",
          "root:r|user revoke-role alice writers",
          "alice:a|put b 1",
          "root:r|user passwd alice --interactive=false<new\n",
          "alice:a|get b",
          "alice:new|get b",
          "root:r|user delete alice",
          "alice:new|get b",
          "root:r|auth disable",
          "|put a 2",
          "|get a",
          "root:r|get a",
          "|auth disable");

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  void theSameAsOfEtcd() {
    ProcessCluster ours = clusters.start(plan(3, Product.TIDEMARK));
    ProcessCluster theirs = clusters.start(plan(1, Product.ETCD));
    for (int i = 0; i < SCRIPT.size(); i++) {
      String line = SCRIPT.get(i);
      String expected = shown(run(theirs.endpoint(0), line));
      Ended actual = run(ours.endpoint(i % 3), line);
      assertEquals(expected, shown(actual), () -> line + ": " + actual.all());
    }
  }

  private static ClusterPlan plan(int members, Product product) {
    return ClusterPlan.of(members, product).flags("--bcrypt-cost=4");
  }

  private static Ended run(String endpoint, String line) {
    int bar = line.indexOf('|');
    int input = line.indexOf('<');
    String words = line.substring(bar + 1, input < 0 ? line.length() : input);
    Command command =
        Command.of("etcdctl", "--endpoints=" + endpoint)
            .env(Map.of("ETCDCTL_API", "3"))
            .reading(input < 0 ? "" : line.substring(input + 1));
    if (bar > 0) {
      command = command.with("--user=" + line.substring(0, bar));
    }
    return command.with(words.split(" ", -1)).run(LIMIT);
  }

  /** Without the client's own log lines, which name times and addresses. */
  private static String shown(Ended ended) {
    String errors =
        ended.err().lines().filter(line -> !line.startsWith("{")).collect(Collectors.joining("\n"));
    return ended.code() + "\n" + ended.out() + errors;
  }
}
