package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Workload;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.process.MemberSpec;
import io.tidemark.it.process.Patience;
import io.tidemark.it.process.Ports;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import io.tidemark.it.support.Judged;
import io.tidemark.it.support.Scrape;
import io.tidemark.judge.EventLog;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Members come and go under writes, by the distribution's unmodified etcdctl: nothing acknowledged
 * is lost, and at the end the members hold the same.
 */
@Tag("clients")
class MembershipIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern CLUSTER = Pattern.compile("ETCD_INITIAL_CLUSTER=\"(.*)\"");

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  /** Each test starts its own first. */
  @SuppressWarnings("NullAway.Init")
  private ProcessCluster cluster;

  private Ended etcdctl(int through, String... words) {
    return Command.of("etcdctl", "--endpoints=" + cluster.endpoint(through))
        .with("--command-timeout=20s")
        .env(Map.of("ETCDCTL_API", "3"))
        .with(words)
        .run(Patience.stretch(LIMIT));
  }

  private String done(int through, String... words) {
    Ended ended = etcdctl(through, words);
    assertEquals(0, ended.code(), ended::all);
    return ended.out();
  }

  private void refused(String why, int through, String... words) {
    Ended ended = etcdctl(through, words);
    assertEquals(1, ended.code(), ended::all);
    assertTrue(ended.err().contains("Error: " + why + "\n"), ended::all);
  }

  private String id(int member) {
    return Long.toHexString(cluster.client(member).status().answer().getHeader().getMemberId());
  }

  /** Adds and starts a member. */
  private int grow(int through, String... flags) {
    int fresh = cluster.newcomer();
    MemberSpec spec = cluster.member(fresh).spec();
    List<String> words = new ArrayList<>(List.of("member", "add", spec.name()));
    words.add("--peer-urls=" + spec.peerUrl());
    words.addAll(List.of(flags));
    String out = done(through, words.toArray(String[]::new));
    Matcher initial = CLUSTER.matcher(out);
    assertTrue(initial.find(), out);
    cluster.join(fresh, initial.group(1));
    return fresh;
  }

  private void removes(int through, int member) {
    String id = id(member);
    String out = done(through, "member", "remove", id);
    assertTrue(out.startsWith("Member %16s removed from cluster".formatted(id)), out);
  }

  private void saysItIsRemoved(int member) {
    MemberProcess process = cluster.member(member);
    assertEquals(0, process.awaitExit(Patience.stretch(LIMIT)), process::recentOutput);
    assertTrue(
        process.recentOutput().contains("has been permanently removed from the cluster"),
        process::recentOutput);
  }

  /** What these members hold; all the same, the member table too. */
  private Replicas.State agreed(Set<Integer> members) {
    MemberClient first = cluster.client(members.iterator().next());
    long revision = first.get("health").answer().getHeader().getRevision();
    Replicas.State state = Replicas.state(first, revision);
    List<Member> table = first.memberList().answer().getMembersList();
    assertEquals(members.size(), table.size(), table::toString);
    for (int member : members) {
      assertEquals(state, Replicas.state(cluster.client(member), revision), "member " + member);
      Await.until(
          "the member table on " + member,
          LIMIT,
          () -> cluster.client(member).memberList().answer().getMembersList().equals(table));
    }
    return state;
  }

  /** Who joins can't begin with the log: it has to be sent the store. */
  @Test
  void aMemberRestoredFromABackupTakesOthersIn() {
    ProcessCluster lost = clusters.start(ClusterPlan.of(1));
    for (int i = 0; i < 20; i++) {
      lost.client(0).put("key" + i % 7, "value" + i).answer();
    }
    Path file = lost.directory().resolve("backup.db");
    Command save = Command.of("etcdctl", "--endpoints=" + lost.endpoint(0), "snapshot", "save");
    Ended saved = save.env(Map.of("ETCDCTL_API", "3")).with(file.toString()).run(LIMIT);
    assertEquals(0, saved.code(), saved::all);
    Replicas.State before = Replicas.state(lost.client(0), 21);

    cluster = clusters.start(ClusterPlan.of(1).restoredFrom(file));
    int second = grow(0);
    cluster.awaitServing(second);
    int third = grow(second);
    cluster.awaitServing(third);
    Replicas.State after = agreed(Set.of(0, second, third));
    assertEquals(before.revision(), after.revision());
    assertEquals(before.pairs(), after.pairs());
    assertEquals(before.events(), after.events());
    cluster.kill(0);
    cluster.awaitLeader(Set.of(second, third));
    PutResponse put = cluster.client(second).put("key0", "goes on").answer();
    assertEquals(22, put.getHeader().getRevision());
  }

  @Test
  void oneToThreeAndBackUnderWrites() throws Exception {
    cluster = clusters.start(ClusterPlan.of(1));
    List<Operation> history = new ArrayList<>();
    try (Workload load = Workload.start("grow", List.of(cluster.client(0)), 4, 5, 1)) {
      load.awaitChanges(20, LIMIT);
      int second = grow(0);
      load.awaitChanges(20, LIMIT);
      cluster.awaitServing(second);

      int learner = grow(second, "--learner");
      assertTrue(cluster.client(learner).getLocal("key0").answered());
      saysWhatItIs(learner, 1, "[-]non_learner failed: local node is a learner\n");
      refused("etcdserver: rpc not supported for learner", learner, "get", "key0");
      refused("etcdserver: rpc not supported for learner", learner, "member", "list");
      refused(
          "etcdserver: too many learner members in cluster",
          0,
          "member",
          "add",
          "another",
          "--learner",
          "--peer-urls=http://127.0.0.1:1");
      String id = id(learner);
      Await.until(
          "the learner's promotion", LIMIT, () -> etcdctl(0, "member", "promote", id).code() == 0);
      refused("etcdserver: can only promote a learner member", 0, "member", "promote", id);
      cluster.awaitServing(learner);
      saysWhatItIs(learner, 0, "ok\n");
      history.addAll(load.stop());
    }
    agreed(Set.of(0, 1, 2));
    int last = shrink(history);
    Judged.assertHistory(new EventLog(agreed(Set.of(last)).events()), history);
  }

  /** To Prometheus, whose own library reads the page, and to whoever asks whether it votes. */
  private void saysWhatItIs(int member, int isLearner, String probed)
      throws IOException, InterruptedException {
    Map<String, String> metrics = Scrape.of(cluster.member(member).spec().clientUrl());
    for (String name : List.of("is_learner", "is_leader", "has_leader")) {
      assertEquals("gauge []", metrics.get("etcd_server_" + name), name);
    }
    Await.until(
        "etcd_server_is_learner " + isLearner,
        LIMIT,
        () -> cluster.metrics(member).get("etcd_server_is_learner") == isLearner);
    Await.until(
        "etcd_server_has_leader 1",
        LIMIT,
        () -> cluster.metrics(member).get("etcd_server_has_leader") == 1);
    URI page = cluster.member(member).spec().clientUrl().resolve("/readyz/non_learner");
    assertEquals(
        probed,
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString())
            .body());
  }

  /** Removes the leader through itself, then one of the two others; gives the one that is left. */
  private int shrink(List<Operation> history) {
    try (Workload load = Workload.start("shrink", cluster.clients(), 6, 5, 2)) {
      load.awaitChanges(20, LIMIT);
      int leader = cluster.awaitLeader();
      removes(leader, leader);
      saysItIsRemoved(leader);
      load.awaitChanges(20, LIMIT);
      int left = leader == 0 ? 1 : 0;
      int gone = 3 - leader - left;
      removes(left, gone);
      cluster.kill(gone); // whoever was told may do so
      load.awaitChanges(20, LIMIT);
      refused(
          "etcdserver: re-configuration failed due to not enough started members",
          left,
          "member",
          "remove",
          id(left));
      history.addAll(load.stop());
      return left;
    }
  }

  @Test
  void aDeadMemberIsReplacedAndAnotherMoves() throws IOException {
    cluster = clusters.start(ClusterPlan.of(3));
    List<Operation> history = new ArrayList<>();
    List<MemberClient> steady = List.of(cluster.client(0), cluster.client(1));
    try (Workload load = Workload.start("replace", steady, 4, 5, 3)) {
      load.awaitChanges(20, LIMIT);
      String dead = id(2);
      cluster.kill(2);
      done(0, "member", "remove", dead);
      int fresh = grow(0);
      cluster.awaitServing(fresh);
      load.awaitChanges(20, LIMIT);

      cluster.member(2).start();
      saysItIsRemoved(2);

      String moving = id(1);
      String url = "http://127.0.0.1:" + Ports.free();
      cluster.kill(1);
      done(fresh, "member", "update", moving, "--peer-urls=" + url);
      MemberSpec spec = cluster.member(1).spec();
      cluster
          .member(1)
          .respec(spec.among(spec.initialCluster(), List.of("--listen-peer-urls=" + url)));
      cluster.restart(1);
      load.awaitChanges(20, LIMIT);
      history.addAll(load.stop());

      Replicas.State state = agreed(Set.of(0, 1, fresh));
      Judged.assertHistory(new EventLog(state.events()), history);
      refusesToForget(fresh);
    }
  }

  /** A member whose data is gone may not come back as who it was. */
  private void refusesToForget(int member) throws IOException {
    MemberProcess process = cluster.member(member);
    String id = id(member);
    process.kill();
    try (Stream<Path> files = Files.walk(process.spec().dataDir())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    process.start();
    assertEquals(1, process.awaitExit(Patience.stretch(LIMIT)), process::recentOutput);
    assertTrue(
        process.recentOutput().contains("member " + id + " has already been bootstrapped"),
        process::recentOutput);
  }
}
