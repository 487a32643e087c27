package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.HashKVResponse;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A member whose data differs is found and named; members that agree never are. */
@Tag("kv")
class CorruptMemberIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int KILLED_BY_TERM = 143;
  private static final String AGREE = "hold the same";

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  void oneAlteredValueIsFoundAfterACompaction() throws Exception {
    ProcessCluster cluster =
        clusters.start(
            ClusterPlan.of(3)
                .flags(
                    "--compact-hash-check-time=200ms",
                    "--corrupt-check-time=500ms",
                    "--auto-compaction-retention=1s"));
    agreesUnderWritesAndCompactions(cluster);

    int leader = cluster.awaitLeader();
    int altered = cluster.otherThan(leader);
    MemberProcess process = cluster.member(altered);
    stop(process);
    StoreFiles.flipBit(process.spec().dataDir(), "k7");
    cluster.restart(altered);

    long id = cluster.client(altered).status().answer().getHeader().getMemberId();
    List<AlarmMember> named =
        List.of(AlarmMember.newBuilder().setMemberID(id).setAlarm(AlarmType.CORRUPT).build());
    for (MemberClient client : cluster.clients()) {
      Await.until("the alarm", SOON, () -> !alarms(client).isEmpty());
      assertEquals(named, alarms(client));
      assertEquals("DATA_LOSS etcdserver: corrupt cluster", client.put("more", "x").outcome());
    }
    staysOutIfToldToCompareItself(process);
  }

  private static void agreesUnderWritesAndCompactions(ProcessCluster cluster) {
    MemberProcess leader = cluster.member(cluster.awaitLeader());
    Await.until(
        "comparisons under writes",
        SOON,
        () -> {
          for (int i = 0; i < 30; i++) {
            cluster.client(i % 3).put("k" + i, "value " + i).answer();
          }
          return leader.output().lines().stream().filter(l -> l.contains(AGREE)).count() > 5;
        });
    for (int comparable = 0; comparable < 10; ) {
      comparable += hashesAgree(cluster, cluster.client(0).put("k0", "x").answer()) ? 1 : 0;
    }
    for (MemberClient client : cluster.clients()) {
      assertEquals(List.of(), alarms(client));
    }
    assertTrue(cluster.metrics(0).get("etcd_debugging_mvcc_compact_revision") > 0);
  }

  /** False if the members answered under different compact revisions. */
  private static boolean hashesAgree(ProcessCluster cluster, PutResponse newest) {
    long revision = newest.getHeader().getRevision();
    Set<Long> compacted = new HashSet<>();
    Set<Integer> hashes = new HashSet<>();
    for (MemberClient client : cluster.clients()) {
      Await.until("no lag", SOON, () -> Replicas.localRevision(client) >= revision);
      Attempt<HashKVResponse> answer = client.hashKv(revision);
      compacted.add(answer.answered() ? answer.answer().getCompactRevision() : Long.MAX_VALUE);
      hashes.add(answer.answered() ? answer.answer().getHash() : 0);
    }
    assertTrue(compacted.size() > 1 || hashes.size() == 1, () -> revision + ": " + hashes);
    return compacted.size() == 1;
  }

  private static void staysOutIfToldToCompareItself(MemberProcess process) {
    stop(process);
    List<String> flags = new ArrayList<>(process.spec().flags());
    flags.add("--initial-corrupt-check=true");
    process.respec(process.spec().among(process.spec().initialCluster(), flags));
    process.start();
    assertEquals(1, process.awaitExit(SOON));
    assertTrue(
        process.recentOutput().contains("found data inconsistency with peers"),
        process.recentOutput());
  }

  /** As an administrator does, so that everything is on the disk. */
  private static void stop(MemberProcess process) {
    process.terminate();
    assertEquals(KILLED_BY_TERM, process.awaitExit(SOON));
  }

  private static List<AlarmMember> alarms(MemberClient client) {
    return client.alarm(AlarmRequest.getDefaultInstance()).answer().getAlarmsList();
  }
}
