package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.MemberSpec;
import io.tidemark.it.process.Patience;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two of three members are lost with their disks. What {@code docs/disaster-recovery.md} says to do
 * then is done here.
 */
@Tag("drills")
class LostMajorityIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  void theSurvivorsBackupBringsAllBack() throws IOException {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "ours only");
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3));
    for (int i = 0; i < 50; i++) {
      cluster.client(i % 3).put("key" + i % 20, "value" + i).answer();
    }
    Replicas.State before = Replicas.agreed(cluster);

    for (int lost = 1; lost < 3; lost++) {
      cluster.kill(lost);
      deleteTree(cluster.member(lost).spec().dataDir());
    }
    // The survivor can't write, but it can still be saved.
    Path file = cluster.directory().resolve("survivor.db");
    ends(ctl("--endpoints=" + cluster.endpoint(0), "snapshot", "save", file.toString()));
    cluster.kill(0);
    Path kept = cluster.directory().resolve("kept");
    Files.move(cluster.member(0).spec().dataDir(), kept);

    // One founder comes without the file and is sent what the others have.
    cluster.restoreFrom(0, file);
    cluster.restoreFrom(1, file);
    cluster.restartAll(Set.of(0, 1, 2));

    Replicas.State after = Replicas.agreed(cluster);
    assertEquals(before.revision(), after.revision());
    assertEquals(before.pairs(), after.pairs());
    assertEquals(before.events(), after.events());
    long next = cluster.client(2).put("key0", "again").answer().getHeader().getRevision();
    assertEquals(before.revision() + 1, next);

    // And it goes on as any cluster: a member may be lost and come back.
    cluster.kill(cluster.awaitLeader());
    Set<Integer> alive = Set.copyOf(aliveIn(cluster));
    cluster.awaitLeader(alive);
    RangeResponse read = cluster.client(alive.iterator().next()).get("key0").answer();
    assertEquals("again", read.getKvs(0).getValue().toStringUtf8());
    for (int i = 0; i < 3; i++) {
      if (!alive.contains(i)) {
        cluster.restart(i);
      }
    }
    assertEquals(next, Replicas.agreed(cluster).revision());
  }

  /** No store was flushed: what the members know is in their logs. */
  @Test
  void theSurvivorGoesOnAsAClusterOfOne() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "ours only");
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3));
    for (int i = 0; i < 50; i++) {
      cluster.client(i % 3).put("key" + i % 20, "value" + i).answer();
    }
    Replicas.State before = Replicas.agreed(cluster);
    ResponseHeader known = cluster.client(0).status().answer().getHeader();
    for (int i = 0; i < 3; i++) {
      cluster.kill(i);
    }
    deleteTree(cluster.member(1).spec().dataDir());

    MemberSpec usual = cluster.member(0).spec();
    recover(usual);
    cluster.restart(0);
    assertEquals(before, Replicas.state(cluster.client(0), before.revision()));
    ResponseHeader alone = cluster.client(0).status().answer().getHeader();
    assertEquals(known.getClusterId(), alone.getClusterId());
    assertEquals(List.of(known.getMemberId()), members(cluster, 0));

    cluster.member(2).start(); // with the data that it had
    assertEquals(0, cluster.member(2).awaitExit(Patience.stretch(LIMIT)), cluster::logs);
    String last = cluster.member(2).recentOutput();
    assertTrue(last.contains("has been permanently removed from the cluster"), last);

    PutResponse next = cluster.client(0).put("key0", "alone").answer();
    assertEquals(before.revision() + 1, next.getHeader().getRevision());

    int fresh = cluster.newcomer();
    MemberSpec spec = cluster.member(fresh).spec();
    String urls = "--peer-urls=" + spec.peerUrl();
    ends(ctl("--endpoints=" + cluster.endpoint(0), "member", "add", spec.name(), urls));
    cluster.join(fresh, "m0=" + usual.peerUrl() + "," + spec.name() + "=" + spec.peerUrl());
    cluster.awaitServing(fresh);
    long revision = next.getHeader().getRevision();
    assertEquals(
        Replicas.state(cluster.client(0), revision),
        Replicas.state(cluster.client(fresh), revision));
    assertEquals(members(cluster, 0), members(cluster, fresh));
    cluster.client(fresh).put("key1", "two").answer();
  }

  private static void recover(MemberSpec member) {
    Command script = Command.of(Product.script("recover").toString());
    Ended ended = script.with(member.allFlags().toArray(String[]::new)).run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    assertTrue(ended.err().contains("forced to be a new cluster of one"), ended::all);
  }

  /** Without its data it would found an empty cluster. */
  @Test
  void nothingIsRecoveredFromAnEmptyDirectory() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "ours only");
    ProcessCluster cluster = clusters.start(ClusterPlan.of(1));
    MemberSpec member = cluster.member(0).spec();
    cluster.kill(0);
    deleteTree(member.dataDir());
    Command script = Command.of(Product.script("recover").toString());
    Ended ended = script.with(member.allFlags().toArray(String[]::new)).run(LIMIT);
    assertEquals(1, ended.code(), ended::all);
    assertEquals(
        "recover: " + member.dataDir() + " holds no member; is --data-dir right?\n", ended.err());
    assertFalse(Files.exists(member.dataDir()));
  }

  private static List<Long> members(ProcessCluster cluster, int through) {
    return cluster.client(through).memberList().answer().getMembersList().stream()
        .map(Member::getID)
        .toList();
  }

  @Test
  void aBumpedRevisionIsNewToEverybody() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "ours only");
    ProcessCluster lost = clusters.start(ClusterPlan.of(1));
    long revision = lost.client(0).put("key", "value").answer().getHeader().getRevision();
    Path file = lost.directory().resolve("backup.db");
    ends(ctl("--endpoints=" + lost.endpoint(0), "snapshot", "save", file.toString()));
    lost.kill(0);
    deleteTree(lost.member(0).spec().dataDir());
    ends(
        ctl("snapshot", "restore", file.toString(), "--bump-revision=1000000", "--mark-compacted")
            .with(lost.member(0).spec().founderFlags().toArray(String[]::new)));
    lost.restart(0);

    RangeResponse read = lost.client(0).get("key").answer();
    assertEquals(revision + 1_000_000, read.getHeader().getRevision());
    assertEquals("value", read.getKvs(0).getValue().toStringUtf8());
    assertEquals(revision, read.getKvs(0).getModRevision());
    assertFalse(Replicas.readableLocally(lost.client(0), revision));
    assertEquals(
        revision + 1_000_001, lost.client(0).put("key", "next").answer().getHeader().getRevision());
  }

  private static List<Integer> aliveIn(ProcessCluster cluster) {
    return Stream.of(0, 1, 2).filter(i -> cluster.member(i).isAlive()).toList();
  }

  private static Command ctl(String... words) {
    return Command.of(Product.script("tidemarkctl").toString()).with(words);
  }

  private static void ends(Command command) {
    Ended ended = command.run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
  }

  private static void deleteTree(Path tree) {
    try (Stream<Path> paths = Files.walk(tree)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
