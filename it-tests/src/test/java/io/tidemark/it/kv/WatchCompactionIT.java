package io.tidemark.it.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.client.WatchProbe;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches that start below, at and above the compact revision, on each member. */
@Tag("kv")
class WatchCompactionIT {
  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static ProcessCluster cluster;
  private static long deleted;
  private static long last;

  /** The compact revision is that of a delete. */
  @BeforeAll
  static void start() {
    cluster = CLUSTERS.start(ClusterPlan.of(3));
    MemberClient client = cluster.client(0);
    client.put("a", "1").answer();
    client.put("b", "1").answer();
    deleted = client.delete("a").answer().getHeader().getRevision();
    last = client.put("b", "2").answer().getHeader().getRevision();
    client.compact(deleted).answer();
    for (MemberClient member : cluster.clients()) {
      Await.until(
          "the compaction on every member",
          WatchProbe.PATIENCE,
          () -> !Replicas.readableLocally(member, deleted - 1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void startBelowIsCreatedThenCancelled(int member) {
    try (WatchProbe probe = cluster.client(member).watch()) {
      probe.create("a", "", 2).create("b", "", 0);
      assertEquals(0, probe.awaitCreated(0).getWatchId());
      WatchResponse cancel = probe.await("cancel", WatchResponse::getCanceled);
      assertEquals(0, cancel.getWatchId());
      assertEquals(deleted, cancel.getCompactRevision());
      assertEquals("", cancel.getCancelReason());
      assertEquals(0, cancel.getEventsCount());
      if (cluster.product() == Product.TIDEMARK) {
        assertEquals(
            probe.responses().get(0).getHeader().getRevision(), cancel.getHeader().getRevision());
      }
      assertEquals(1, probe.awaitCreated(1).getWatchId());
    }
  }

  /** etcd 18089. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void startAtShowsTheDeleteAtThatRevision(int member) {
    assumeTrue(cluster.product() == Product.TIDEMARK, "etcd 3.4.23 has issue 18089");
    assertShowsDelete(member);
  }

  /** etcd 19179: the same after a restart of the member. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void startAtShowsTheDeleteAfterARestart(int member) {
    assumeTrue(cluster.product() == Product.TIDEMARK, "etcd 3.4.23 has issue 19179");
    cluster.kill(member);
    cluster.restart(member);
    assertShowsDelete(member);
  }

  private static void assertShowsDelete(int member) {
    try (WatchProbe probe = cluster.client(member).watch()) {
      probe.create("", "\0", deleted);
      List<Event> events = probe.awaitEvents(0, 2);
      assertEquals(Event.EventType.DELETE, events.get(0).getType());
      assertEquals("a", events.get(0).getKv().getKey().toStringUtf8());
      assertEquals(deleted, events.get(0).getKv().getModRevision());
      assertEquals(last, events.get(1).getKv().getModRevision());
    }
  }

  /** etcd 17529: none may turn silent, and none may hear it twice. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void sixHundredWatchesBelowAreAllToldOnce(int member) {
    assumeTrue(cluster.product() == Product.TIDEMARK, "etcd 3.4.23 has issue 17529");
    int watches = 600;
    try (WatchProbe probe = cluster.client(member).watch()) {
      for (int i = 0; i < watches; i++) {
        probe.create("a", "", 2);
      }
      probe.awaitState(
          "a cancel for each", all -> cancels(all) >= watches ? all : null, WatchProbe.PATIENCE);
      probe.create("b", "", 0);
      probe.awaitCreated(watches);
      List<Long> told =
          probe.responses().stream()
              .filter(WatchResponse::getCanceled)
              .map(WatchResponse::getWatchId)
              .sorted()
              .collect(Collectors.toList());
      assertEquals(IntStream.range(0, watches).mapToObj(i -> (long) i).toList(), told);
    }
  }

  private static long cancels(List<WatchResponse> responses) {
    return responses.stream().filter(WatchResponse::getCanceled).count();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void futureWatchIsSilentUntilItsRevision(int member) {
    MemberClient client = cluster.client(member);
    long now = client.get("b").answer().getHeader().getRevision();
    try (WatchProbe probe = client.watch()) {
      probe.create("future", "", now + 3);
      probe.awaitCreated(0);
      client.put("future", "1").answer();
      client.put("future", "2").answer();
      client.put("future", "3").answer();
      Event first = probe.awaitEvents(0, 1).get(0);
      assertEquals("3", first.getKv().getValue().toStringUtf8());
      assertEquals(now + 3, first.getKv().getModRevision());
      assertNotEquals(0, probe.responses().get(0).getHeader().getRevision());
    }
  }
}
