package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.client.MemberMetrics;
import io.tidemark.it.client.WatchProbe;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Command;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import io.tidemark.it.support.Judged;
import io.tidemark.judge.EventLog;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A member whose peer port is cut off while its client port is open: it refuses what needs the
 * others, serves what doesn't, and catches up afterwards.
 */
@Tag("chaos")
class IsolatedMemberIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What the contract allows a member to say that cannot reach a quorum. */
  private static final Set<String> CUT_OFF =
      Set.of(
          "UNAVAILABLE etcdserver: no leader",
          "UNAVAILABLE etcdserver: request timed out",
          "UNAVAILABLE etcdserver: request timed out, possibly due to connection lost",
          "UNAVAILABLE etcdserver: request timed out, possibly due to previous leader failure",
          "UNAVAILABLE etcdserver: leader changed");

  /** A thread per call. */
  private static final Executor CALLERS =
      call -> {
        Thread thread = new Thread(call, "it-isolated-caller");
        thread.setDaemon(true);
        thread.start();
      };

  private static final WatchCreateRequest EVERYTHING = Replicas.everythingFrom(2);

  private static final Pattern LAG =
      Pattern.compile(
          "\"Lag\":\\{\"appliedRevision\":(\\d+),\"dispatchedRevision\":(\\d+),"
              + "\"leaderCommit\":(\\d+),\"entries\":\\d+,\"ageMillis\":(\\d+)}");

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  void follower() {
    ProcessCluster cluster = linked();
    isolate(cluster, cluster.otherThan(cluster.awaitLeader()));
  }

  @Test
  void leader() {
    ProcessCluster cluster = linked();
    isolate(cluster, cluster.awaitLeader());
  }

  private ProcessCluster linked() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "etcd has no hook for links");
    return clusters.start(ClusterPlan.of(3).onLinks());
  }

  private void isolate(ProcessCluster cluster, int member) {
    MemberClient isolated = cluster.client(member);
    MemberClient other = cluster.client(cluster.otherThan(member));
    long before = isolated.put("key", "before").answer().getHeader().getRevision();
    WatchProbe watch = clusters.closing(isolated.watch()).create(EVERYTHING);
    watch.awaitRevision(0, before);

    cluster.links().isolate(member);
    cluster
        .member(member)
        .output()
        .awaitLine("a warning", line -> line.contains("nothing heard of the leader"), PATIENCE);
    cluster.awaitLeader(cluster.allBut(member));
    for (int i = 0; i < 50; i++) {
      other.put("key", "during " + i).answer();
    }
    refusesAll(
        () -> isolated.put("key", "lost"), () -> isolated.get("key"), () -> isolated.delete("key"));
    assertEquals("before", isolated.getLocal("key").answer().getKvs(0).getValue().toStringUtf8());
    assertEquals(before, isolated.getLocal("key").answer().getHeader().getRevision());
    knowsNoLeader(isolated);
    showsHowOldItsNewsIs(cluster, member, before);
    watch.requestProgress();
    watch.await(
        "progress at its own revision",
        r -> r.getWatchId() == -1 && r.getHeader().getRevision() == before);
    assertFalse(watch.ended());
    assertEquals(1, watch.events(0).size());

    cluster.links().heal();
    cluster.awaitServing(member);
    Await.until(
        "fresh news of the leader",
        PATIENCE,
        () ->
            cluster.metrics(member).get("tidemark_leader_commit_age_milliseconds") < 1_000
                && cluster.metrics(member).get("tidemark_leader_commit_index") > 0);
    long last = isolated.put("key", "after").answer().getHeader().getRevision();
    watch.awaitRevision(0, last);
    Replicas.State state = Replicas.agreed(cluster);
    Judged.assertWatch(new EventLog(state.events()), EVERYTHING, 0, watch, last);
    assertEquals("after", state.pairs().get(0).getValue().toStringUtf8());
  }

  /** Side by side: each may wait for the whole request timeout. */
  @SafeVarargs
  private static void refusesAll(Supplier<Attempt<?>>... calls) {
    List<CompletableFuture<Attempt<?>>> attempts =
        Arrays.stream(calls).map(call -> CompletableFuture.supplyAsync(call, CALLERS)).toList();
    for (CompletableFuture<Attempt<?>> attempt : attempts) {
      String outcome = attempt.join().outcome();
      assertTrue(CUT_OFF.contains(outcome), outcome);
    }
  }

  /** In its metrics and to {@code tidemarkctl}: an age that grows, beside its own revisions. */
  private static void showsHowOldItsNewsIs(ProcessCluster cluster, int member, long revision) {
    MemberMetrics first = cluster.metrics(member);
    long age = first.get("tidemark_leader_commit_age_milliseconds");
    assertTrue(age >= 1_000, () -> "age " + age);
    assertEquals(revision, first.get("tidemark_applied_revision"));
    assertEquals(revision, first.get("tidemark_watch_dispatched_revision"));
    Command.Ended status =
        Command.of(Product.script("tidemarkctl").toString())
            .with("--endpoints=" + cluster.endpoint(member), "-w", "json", "endpoint", "status")
            .run(PATIENCE);
    Matcher lag = LAG.matcher(status.out());
    assertTrue(lag.find(), status::all);
    assertEquals(revision, Long.parseLong(lag.group(1)));
    assertEquals(revision, Long.parseLong(lag.group(2)));
    assertEquals(first.get("tidemark_leader_commit_index"), Long.parseLong(lag.group(3)));
    assertTrue(Long.parseLong(lag.group(4)) > age, status::all);
  }

  private static void knowsNoLeader(MemberClient isolated) {
    Await.until(
        "the member to say that it has no leader",
        PATIENCE,
        () -> isolated.status().answer().getLeader() == 0);
    StatusResponse status = isolated.status().answer();
    assertTrue(status.getErrorsList().contains("etcdserver: no leader"), status::toString);
    Metadata needsLeader = new Metadata();
    needsLeader.put(Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER), "true");
    String outcome;
    try {
      outcome =
          KVGrpc.newBlockingStub(isolated.channel())
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(needsLeader))
              .range(
                  RangeRequest.newBuilder()
                      .setKey(ByteString.copyFromUtf8("key"))
                      .setSerializable(true)
                      .build())
              .toString();
    } catch (StatusRuntimeException refused) {
      outcome = refused.getStatus().getCode() + " " + refused.getStatus().getDescription();
    }
    assertEquals("UNAVAILABLE etcdserver: no leader", outcome);
  }
}
