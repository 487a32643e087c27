package io.tidemark.it.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an operator does by hand: a full store brought back, leadership moved, hashes compared. */
@Tag("clients")
class EtcdctlOperatorIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int QUOTA_BYTES = 2_000_000;
  private static final int VALUE_BYTES = 100_000;

  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() {
    cluster = CLUSTERS.start(ClusterPlan.of(3).flags("--quota-backend-bytes=" + QUOTA_BYTES));
  }

  private static Command etcdctl(int member) {
    return Command.of("etcdctl", "--endpoints=" + cluster.endpoint(member))
        .env(Map.of("ETCDCTL_API", "3"));
  }

  private static Command ours(int member, String... words) {
    return Command.of(Product.script("tidemarkctl").toString())
        .with("--endpoints=" + cluster.endpoint(member))
        .with(words);
  }

  private static void prints(String expected, Command command) {
    Ended ended = command.run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    assertEquals(expected, ended.out(), ended::all);
  }

  private static String memberId(int member) {
    Ended status = etcdctl(member).with("endpoint", "status").run(LIMIT);
    return status.out().split(", ", -1)[1];
  }

  /** Fill, alarm, compact, defragment, disarm, put: the drill of etcd's documentation. */
  @Test
  void aFullStoreIsBroughtBack() {
    MemberClient client = cluster.client(1);
    String value = "x".repeat(VALUE_BYTES);
    int written = 0;
    while (etcdctl(1).with("put", "full", value).run(LIMIT).code() == 0) {
      written++;
      assertTrue(written <= QUOTA_BYTES / VALUE_BYTES, "the quota holds after " + written);
    }
    long member = Long.parseUnsignedLong(memberId(1), 16);
    String alarm = "memberID:" + Long.toUnsignedString(member) + " alarm:NOSPACE";
    for (int i = 0; i < 3; i++) {
      Ended refused = etcdctl(i).with("put", "k", "v").run(LIMIT);
      assertEquals(1, refused.code(), refused::all);
      assertTrue(refused.err().contains("etcdserver: mvcc: database space exceeded"), refused::all);
      assertEquals(
          alarm, etcdctl(i).with("alarm", "list").run(LIMIT).out().strip().replace("  ", " "));
      prints(alarm + "\n", ours(i, "alarm", "list"));
    }
    long revision = client.get("full").answer().getHeader().getRevision();
    prints("compacted revision " + revision + "\n", etcdctl(2).with("compact", "" + revision));
    for (int i = 0; i < 2; i++) {
      prints(
          "Finished defragmenting etcd member[" + cluster.endpoint(i) + "]\n",
          etcdctl(i).with("defrag"));
    }
    prints("Finished defragmenting etcd member[" + cluster.endpoint(2) + "]\n", ours(2, "defrag"));
    assertEquals(
        1, etcdctl(0).with("put", "k", "v").run(LIMIT).code(), "the alarm stands until disarmed");
    assertEquals(
        alarm, etcdctl(0).with("alarm", "disarm").run(LIMIT).out().strip().replace("  ", " "));
    prints("", etcdctl(2).with("alarm", "list"));
    prints("OK\n", etcdctl(1).with("put", "k", "v"));
    List<String> hashes =
        Stream.of(0, 1, 2)
            .map(i -> etcdctl(i).with("endpoint", "hashkv").run(LIMIT))
            .map(ended -> ended.out().split(", ", -1)[1].strip())
            .distinct()
            .toList();
    assertEquals(1, hashes.size(), () -> "hashes " + hashes);
    prints(cluster.endpoint(0) + ", " + hashes.get(0) + "\n", ours(0, "endpoint", "hashkv"));
  }

  @Test
  void leadershipMoves() {
    int leader = cluster.awaitLeader();
    for (boolean byUs : new boolean[] {false, true}) {
      int target = (leader + 1) % 3;
      String from = memberId(leader);
      String to = memberId(target);
      Command command =
          byUs ? ours(leader, "move-leader", to) : etcdctl(leader).with("move-leader", to);
      prints("Leadership transferred from " + from + " to " + to + "\n", command);
      assertEquals(target, cluster.awaitLeader());
      leader = target;
    }
    Ended unknown = etcdctl(leader).with("move-leader", "77").run(LIMIT);
    assertTrue(unknown.err().contains("etcdserver: bad leader transferee"), unknown::all);
    int follower = (leader + 1) % 3;
    Ended wrongDoor = etcdctl(follower).with("move-leader", memberId(leader)).run(LIMIT);
    Matcher complaint =
        Pattern.compile("no leader endpoint given at \\[(.*)]").matcher(wrongDoor.err());
    assertTrue(complaint.find(), wrongDoor::all);
  }

  @Test
  void aDowngradeIsCheckedByOurs() {
    prints(
        "Downgrade validate success, cluster version 3.7\n",
        ours(0, "downgrade", "validate", "3.6"));
    Ended wrong = ours(0, "downgrade", "validate", "3.1").run(LIMIT);
    assertEquals(1, wrong.code(), wrong::all);
    assertTrue(wrong.err().contains("etcdserver: invalid downgrade target version"), wrong::all);
  }
}
