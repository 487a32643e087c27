package io.tidemark.it.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.client.WatchProbe;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import io.tidemark.judge.EventLog;
import io.tidemark.judge.WatchChecker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Kubernetes' pattern on every member: list in pages, watch from there with previous pairs, guarded
 * changes, bookmarks on request, compaction, and a new list for whoever was away too long.
 */
class ListWatchIT {
  private static final String PREFIX = "/registry/pods/";
  private static final int OBJECTS = 1_203;
  private static final int ROUNDS = 2;
  private static final int TXN_OPERATIONS = 100;
  private static final int BOOKMARKS = 10;
  private static final long PROGRESS_MILLIS = 100;

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  private final List<ListWatchCache> caches = new ArrayList<>();

  private Duration patience = Duration.ofSeconds(30);

  @Tag("kv")
  @Test
  void cachesEqualTheStoreUnderWritesAndCompaction() {
    listWatch(Duration.ofSeconds(1));
  }

  /** At Kubernetes' own pace. */
  @Tag("long")
  @Test
  void cachesEqualTheStoreUnderWritesAndRareCompaction() {
    patience = Duration.ofSeconds(120);
    listWatch(Duration.ofSeconds(30));
  }

  private void listWatch(Duration compaction) {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "etcd 3.4.23 has issue 15220");
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3));
    WatchProbe witness =
        clusters.closing(cluster.client(0).watch()).create(Replicas.everythingFrom(1));
    createAll(cluster.client(0));
    Compactor compactor = new Compactor(cluster.client(1), witness);
    for (MemberClient member : cluster.clients()) {
      caches.add(clusters.closing(new ListWatchCache(member, PREFIX)));
    }
    ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
    List<GuardedWriters.Change> changes;
    try (GuardedWriters writers = GuardedWriters.start(PREFIX, OBJECTS, cluster.clients())) {
      clock.scheduleWithFixedDelay(
          () -> caches.forEach(ListWatchCache::requestProgress),
          PROGRESS_MILLIS,
          PROGRESS_MILLIS,
          TimeUnit.MILLISECONDS);
      clock.scheduleWithFixedDelay(
          compactor::tick, 0, compaction.toMillis(), TimeUnit.MILLISECONDS);
      for (int round = 0; round < ROUNDS; round++) {
        caches.forEach(ListWatchIT::listAndWatch);
        caches.forEach(cache -> awaitBookmarksAndCompaction(cache, compactor));
        caches.forEach(ListWatchCache::drop);
        for (int i = 0; i < caches.size(); i++) {
          missTooMuch(caches.get(i), cluster.client(i), compactor);
        }
      }
      caches.forEach(ListWatchIT::listAndWatch);
      changes = writers.stop();
    } finally {
      clock.shutdownNow();
    }
    assertEquals("", compactor.refusal());
    long end = finish(cluster.client(0));
    witness.awaitRevision(0, end);
    EventLog log = new EventLog(witness.events(0));
    assertEquals(List.of(), log.faults());
    assertGuardsHeld(log, changes);
    for (ListWatchCache cache : caches) {
      judge(cache, log, end);
    }
    for (MemberClient member : cluster.clients()) {
      assertEquals(caches.get(0).objects(), stored(member, end));
    }
  }

  private static void createAll(MemberClient member) {
    for (int from = 0; from < OBJECTS; from += TXN_OPERATIONS) {
      TxnRequest.Builder create = TxnRequest.newBuilder();
      for (int i = from; i < Math.min(from + TXN_OPERATIONS, OBJECTS); i++) {
        ByteString key = GuardedWriters.key(PREFIX, i);
        create.mergeFrom(GuardedWriters.guarded(key, 0, GuardedWriters.put(key, (byte) 0)));
      }
      assertTrue(member.txn(create.build()).answer().getSucceeded(), "created once");
    }
  }

  private static void listAndWatch(ListWatchCache cache) {
    cache.list();
    cache.watch();
  }

  /** Live watches don't mind compaction; one that lags behind it has to list again. */
  private void awaitBookmarksAndCompaction(ListWatchCache cache, Compactor compactor) {
    Await.until(
        BOOKMARKS + " bookmarks, and a compaction beyond the list",
        patience,
        () -> {
          listAgainIfCanceled(cache);
          return bookmarks(cache.responses()) >= BOOKMARKS
              && compactor.compacted() > cache.revision();
        });
  }

  private static void listAgainIfCanceled(ListWatchCache cache) {
    if (cache.isCanceled()) {
      cache.drop();
      listAndWatch(cache);
    }
  }

  private static long bookmarks(List<WatchResponse> responses) {
    return responses.stream().filter(response -> response.getWatchId() == -1).count();
  }

  /** Comes back after a compaction of what it has not seen, and is told. */
  private void missTooMuch(ListWatchCache cache, MemberClient member, Compactor compactor) {
    long needed = cache.revision() + 1;
    Await.until(
        "a compaction of what the cache has not seen",
        patience,
        () -> compactor.compacted() > needed && !Replicas.readableLocally(member, needed));
    cache.watch();
    Await.until("a cancel", patience, cache::isCanceled);
    WatchResponse cancel =
        cache.responses().stream().filter(WatchResponse::getCanceled).findFirst().orElseThrow();
    assertTrue(cancel.getCompactRevision() > needed, cancel::toString);
    assertEquals("", cancel.getCancelReason());
    cache.drop();
    assertEquals(needed - 1, cache.revision());
  }

  /** The last change that caches wait for. */
  private long finish(MemberClient member) {
    long end = member.put(PREFIX + "last", "").answer().getHeader().getRevision();
    for (ListWatchCache cache : caches) {
      Await.until(
          "the last event",
          patience,
          () -> {
            listAgainIfCanceled(cache);
            return cache.revision() >= end || seen(cache.responses()) >= end;
          });
      cache.drop();
    }
    return end;
  }

  private static long seen(List<WatchResponse> responses) {
    return responses.stream()
        .flatMap(response -> response.getEventsList().stream())
        .mapToLong(event -> event.getKv().getModRevision())
        .max()
        .orElse(0);
  }

  /** Every acknowledged change is the event at its revision, of the object it was guarded by. */
  private static void assertGuardsHeld(EventLog log, List<GuardedWriters.Change> changes) {
    assertTrue(changes.size() > 100, () -> "only " + changes.size() + " changes");
    for (GuardedWriters.Change change : changes) {
      List<Event> events = log.at(change.revision());
      assertEquals(1, events.size());
      assertEquals(change.key(), events.get(0).getKv().getKey());
      String key = change.key().toStringUtf8();
      Optional<KeyValue> before = log.stateAt(key, change.revision() - 1);
      assertEquals(change.expectedMod(), before.map(KeyValue::getModRevision).orElse(0L), key);
    }
  }

  private static void judge(ListWatchCache cache, EventLog log, long end) {
    assertEquals(List.of(), cache.faults());
    assertTrue(cache.listings().size() > ROUNDS, "a list for each time it was away");
    for (ListWatchCache.Listing listing : cache.listings()) {
      assertEquals(stateAt(log, listing.revision()), listing.objects());
    }
    for (ListWatchCache.Watched watched : cache.watches()) {
      assertEquals(
          List.of(), WatchChecker.check(log, watched.request(), 0, watched.responses(), 0));
    }
    assertEquals(end, cache.revision());
    assertEquals(log.finalState(), cache.objects());
  }

  private static Map<ByteString, KeyValue> stateAt(EventLog log, long revision) {
    Map<ByteString, KeyValue> state = new HashMap<>();
    for (Event event : log.events()) {
      KeyValue object = event.getKv();
      if (object.getModRevision() > revision) {
        break;
      }
      if (event.getType() == Event.EventType.DELETE) {
        state.remove(object.getKey());
      } else {
        state.put(object.getKey(), object);
      }
    }
    return state;
  }

  private Map<ByteString, KeyValue> stored(MemberClient member, long revision) {
    Await.until("revision " + revision, patience, () -> Replicas.localRevision(member) >= revision);
    Map<ByteString, KeyValue> objects = new HashMap<>();
    member
        .range(
            RangeRequest.newBuilder()
                .setKey(ByteString.copyFrom(new byte[] {0}))
                .setRangeEnd(ByteString.copyFrom(new byte[] {0}))
                .setRevision(revision)
                .setSerializable(true)
                .build())
        .answer()
        .getKvsList()
        .forEach(pair -> objects.put(pair.getKey(), pair));
    return objects;
  }
}
