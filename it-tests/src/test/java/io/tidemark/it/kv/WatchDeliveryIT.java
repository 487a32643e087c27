package io.tidemark.it.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.client.WatchProbe;
import io.tidemark.it.history.Workload;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import io.tidemark.it.support.Judged;
import io.tidemark.judge.EventLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What watches deliver on each member, live and from history; judged against the event log. */
@Tag("kv")
class WatchDeliveryIT {
  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static final Duration PATIENCE = WatchProbe.PATIENCE;

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() {
    cluster = CLUSTERS.start(ClusterPlan.of(3));
    cluster.client(0).put("key0", "before").answer();
  }

  /** Watches of every shape on one stream. */
  private static List<WatchCreateRequest> shapes(long history) {
    return List.of(
        WatchProbe.request("key1", "", 0).setPrevKv(true).build(),
        WatchProbe.request("key", "kez", 0).build(),
        WatchProbe.request("key2", "key4", history).setPrevKv(true).build(),
        WatchProbe.request("key3", "\0", 2)
            .addFilters(WatchCreateRequest.FilterType.NODELETE)
            .build(),
        WatchProbe.request("", "\0", 2)
            .addFilters(WatchCreateRequest.FilterType.NOPUT)
            .setPrevKv(true)
            .build(),
        WatchProbe.request("key0", "", history + 20).build(),
        Replicas.everythingFrom(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void everyShapeOnOneStream(int member) {
    try (WatchProbe probe = cluster.client(member).watch();
        Workload load = Workload.start("shape" + member + "-", cluster.clients(), 3, 5, member)) {
      load.awaitChanges(50, PATIENCE);
      List<WatchCreateRequest> requests = shapes(newest());
      for (int i = 0; i < requests.size(); i++) {
        probe.create(requests.get(i));
        assertEquals(i, probe.awaitCreated(i).getWatchId());
      }
      load.awaitChanges(100, PATIENCE);
      load.stop();
      judgeAll(probe, requests);
    }
  }

  private static void judgeAll(WatchProbe probe, List<WatchCreateRequest> requests) {
    long end = cluster.client(0).put("key1", "last").answer().getHeader().getRevision();
    for (String key : List.of("key0", "key2", "key3")) {
      cluster.client(0).delete(key);
      end = cluster.client(0).put(key, "last").answer().getHeader().getRevision();
    }
    int everything = requests.size() - 1;
    probe.awaitRevision(everything, end);
    EventLog log = new EventLog(Replicas.history(cluster.client(0), end));
    for (int i = 0; i < requests.size(); i++) {
      long due = lastDue(log, requests.get(i), end);
      if (due > 0) {
        probe.awaitRevision(i, due);
      }
      Judged.assertWatch(log, requests.get(i), i, probe, end);
    }
  }

  /** The newest revision that a watch has an event of, by the same rules as the judge's. */
  private static long lastDue(EventLog log, WatchCreateRequest request, long end) {
    boolean deletesOnly = request.getFiltersList().contains(WatchCreateRequest.FilterType.NOPUT);
    boolean putsOnly = request.getFiltersList().contains(WatchCreateRequest.FilterType.NODELETE);
    return log.events().stream()
        .filter(event -> !(deletesOnly && event.getType() == Event.EventType.PUT))
        .filter(event -> !(putsOnly && event.getType() == Event.EventType.DELETE))
        .filter(event -> covers(request, event.getKv().getKey().toStringUtf8()))
        .mapToLong(event -> event.getKv().getModRevision())
        .filter(revision -> revision >= request.getStartRevision() && revision <= end)
        .max()
        .orElse(0);
  }

  private static boolean covers(WatchCreateRequest request, String key) {
    String from = request.getKey().toStringUtf8();
    String to = request.getRangeEnd().toStringUtf8();
    if (to.isEmpty()) {
      return key.equals(from);
    }
    return key.compareTo(from) >= 0 && (to.equals("\0") || key.compareTo(to) < 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void bookmarksUnderWrites(int member) {
    assumeTrue(cluster.product() == Product.TIDEMARK, "etcd 3.4.23 has issue 15220");
    WatchCreateRequest request = Replicas.everythingFrom(2);
    try (WatchProbe probe = cluster.client(member).watch();
        Workload load = Workload.start("mark" + member + "-", cluster.clients(), 3, 5, member)) {
      probe.create(request).create("key1", "", 0);
      probe.awaitCreated(1);
      probe.awaitRevision(0, newest());
      for (int n = 1; n <= 10; n++) {
        awaitBookmarks(probe, n);
      }
      load.stop();
      long end = cluster.client(0).put("key1", "marked").answer().getHeader().getRevision();
      probe.awaitRevision(0, end);
      EventLog log = new EventLog(Replicas.history(cluster.client(0), end));
      Judged.assertWatch(log, request, 0, probe, end);
    }
  }

  /** Asks, as clients do, again and again until the stream answers for all its watches. */
  private static void awaitBookmarks(WatchProbe probe, int count) {
    Await.until(
        count + " bookmarks of the whole stream",
        PATIENCE,
        () -> {
          probe.requestProgress();
          return probe.responses().stream().filter(r -> r.getWatchId() == -1).count() >= count;
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void bookmarkOnAQuietStreamIsTheNewestRevision(int member) {
    MemberClient client = cluster.client(member);
    long newest = client.put("quiet", "1").answer().getHeader().getRevision();
    try (WatchProbe probe = client.watch()) {
      probe.create("quiet", "", 0);
      probe.awaitCreated(0);
      awaitBookmarks(probe, 1);
      WatchResponse bookmark = probe.await("bookmark", r -> r.getWatchId() == -1);
      assertEquals(newest, bookmark.getHeader().getRevision());
      assertEquals(0, bookmark.getEventsCount());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void refusedCreatesLeaveTheStreamAlone(int member) {
    try (WatchProbe probe = cluster.client(member).watch()) {
      probe.create("refused", "", 0);
      assertEquals(0, probe.awaitCreated(0).getWatchId());
      probe.create("b", "a", 0);
      assertRefused(probe.awaitCreated(1), "mvcc: watcher range is empty");
      probe.create(WatchProbe.request("b", "", 0).setWatchId(7).build());
      assertEquals(7, probe.awaitCreated(2).getWatchId());
      probe.create(WatchProbe.request("b", "", 0).setWatchId(7).build());
      assertRefused(probe.awaitCreated(3), "mvcc: duplicate watch ID provided on the WatchStream");
      if (cluster.product() == Product.TIDEMARK) {
        probe.create("b", "", -1);
        assertRefused(
            probe.awaitCreated(4), "etcdserver: mvcc: required revision has been compacted");
      }
      cluster.client(0).put("refused", "1").answer();
      assertEquals("refused", probe.awaitEvents(0, 1).get(0).getKv().getKey().toStringUtf8());
    }
  }

  private static void assertRefused(WatchResponse response, String reason) {
    assertEquals(-1, response.getWatchId());
    assertEquals(reason, response.getCancelReason());
    assertEquals(true, response.getCanceled());
    assertEquals(0, response.getCompactRevision());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void cancelledWatchIsSilentAndItsIdMayBeUsedAgain(int member) {
    try (WatchProbe probe = cluster.client(member).watch()) {
      probe.create(WatchProbe.request("gone", "", 0).setWatchId(5).build());
      probe.create(WatchProbe.request("stays", "", 0).setWatchId(6).build());
      probe.awaitCreated(1);
      probe.cancel(99).cancel(5);
      WatchResponse canceled = probe.await("cancel", WatchResponse::getCanceled);
      assertEquals(5, canceled.getWatchId());
      assertEquals("", canceled.getCancelReason());
      assertEquals(0, canceled.getCompactRevision());
      cluster.client(0).put("gone", "1").answer();
      cluster.client(0).put("stays", "1").answer();
      probe.awaitEvents(6, 1);
      assertEquals(List.of(), probe.events(5));
      probe.create(WatchProbe.request("again", "", 0).setWatchId(5).build());
      probe.awaitCreated(2);
      cluster.client(0).put("gone", "2").answer();
      cluster.client(0).put("again", "1").answer();
      assertEquals("again", probe.awaitEvents(5, 1).get(0).getKv().getKey().toStringUtf8());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void halfCloseDoesNotEndTheWatch(int member) {
    try (WatchProbe probe = cluster.client(member).watch()) {
      probe.create("half", "", 0);
      probe.awaitCreated(0);
      probe.halfClose();
      cluster.client(0).put("half", "1").answer();
      assertEquals("1", probe.awaitEvents(0, 1).get(0).getKv().getValue().toStringUtf8());
      assertFalse(probe.ended());
    }
  }

  private static long newest() {
    return cluster.client(0).get("key0").answer().getHeader().getRevision();
  }
}
