package io.tidemark.it.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.cluster.Member;
import io.etcd.jetcd.common.exception.CompactedException;
import io.etcd.jetcd.kv.DeleteResponse;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.PutResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java client jetcd against each member. */
@Tag("clients")
class JetcdIT {
  private static final long LIMIT_SECONDS = 30;

  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static ProcessCluster cluster;
  private static final List<Client> CLIENTS = new ArrayList<>();

  @BeforeAll
  static void start() {
    cluster = CLUSTERS.start(ClusterPlan.of(3));
    for (int i = 0; i < cluster.size(); i++) {
      CLIENTS.add(
          CLUSTERS.closing(Client.builder().endpoints("http://" + cluster.endpoint(i)).build()));
    }
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }

  private static String text(ByteSequence bytes) {
    return bytes.toString(UTF_8);
  }

  private static <T> T answer(CompletableFuture<T> future) throws Exception {
    return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private static List<String> values(GetResponse response) {
    return response.getKvs().stream().map(KeyValue::getValue).map(JetcdIT::text).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void putGetDelete(int member) throws Exception {
    KV kv = CLIENTS.get(member).getKVClient();
    ByteSequence key = bytes("jetcd" + member);
    PutResponse first = answer(kv.put(key, bytes("1")));
    PutResponse second = answer(kv.put(key, bytes("2"), PutOption.builder().withPrevKV().build()));
    assertEquals("1", text(second.getPrevKv().getValue()));
    assertEquals(first.getHeader().getRevision() + 1, second.getHeader().getRevision());
    GetResponse now = answer(kv.get(key));
    assertEquals(List.of("2"), values(now));
    assertEquals(2, now.getKvs().get(0).getVersion());
    GetOption atFirst = GetOption.builder().withRevision(first.getHeader().getRevision()).build();
    assertEquals(List.of("1"), values(answer(kv.get(key, atFirst))));
    GetOption prefix = GetOption.builder().isPrefix(true).withCountOnly(true).build();
    assertEquals(1, answer(kv.get(key, prefix)).getCount());
    DeleteResponse deleted =
        answer(kv.delete(key, DeleteOption.builder().withPrevKV(true).build()));
    assertEquals(1, deleted.getDeleted());
    assertEquals("2", text(deleted.getPrevKvs().get(0).getValue()));
    assertEquals(List.of(), values(answer(kv.get(key))));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void txn(int member) throws Exception {
    KV kv = CLIENTS.get(member).getKVClient();
    ByteSequence key = bytes("jetcd-txn" + member);
    TxnResponse created = answer(putIfAbsent(kv, key));
    assertTrue(created.isSucceeded());
    assertEquals(1, created.getPutResponses().size());
    TxnResponse present = answer(putIfAbsent(kv, key));
    assertEquals(false, present.isSucceeded());
    assertEquals(List.of("new"), values(present.getGetResponses().get(0)));
  }

  private static CompletableFuture<TxnResponse> putIfAbsent(KV kv, ByteSequence key) {
    return kv.txn()
        .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0)))
        .Then(Op.put(key, bytes("new"), PutOption.DEFAULT))
        .Else(Op.get(key, GetOption.DEFAULT))
        .commit();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void watch(int member) throws Exception {
    Client client = CLIENTS.get(member);
    KV other = CLIENTS.get((member + 1) % 3).getKVClient();
    ByteSequence key = bytes("jetcd-watch" + member);
    long from = answer(other.put(key, bytes("old"))).getHeader().getRevision();
    BlockingQueue<WatchEvent> events = new ArrayBlockingQueue<>(16);
    WatchOption option =
        WatchOption.builder().withRevision(from).withPrevKV(true).isPrefix(true).build();
    try (Watch.Watcher watcher =
        client
            .getWatchClient()
            .watch(key, option, response -> events.addAll(response.getEvents()))) {
      answer(other.put(key, bytes("live")));
      answer(other.delete(key));
      assertEvent(WatchEvent.EventType.PUT, "old", "", events);
      assertEvent(WatchEvent.EventType.PUT, "live", "old", events);
      assertEvent(WatchEvent.EventType.DELETE, "", "live", events);
      assertEquals(false, watcher.isClosed());
    }
  }

  private static void assertEvent(
      WatchEvent.EventType type, String value, String previous, BlockingQueue<WatchEvent> events)
      throws InterruptedException {
    WatchEvent event = events.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertEquals(type, event.getEventType());
    assertEquals(value, text(event.getKeyValue().getValue()));
    assertEquals(previous, text(event.getPrevKV().getValue()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void compaction(int member) throws Exception {
    KV kv = CLIENTS.get(member).getKVClient();
    ByteSequence key = bytes("jetcd-compacted" + member);
    long first = answer(kv.put(key, bytes("1"))).getHeader().getRevision();
    long second = answer(kv.put(key, bytes("2"))).getHeader().getRevision();
    answer(kv.compact(second));
    GetOption below = GetOption.builder().withRevision(first).build();
    ExecutionException refused =
        assertThrows(ExecutionException.class, () -> answer(kv.get(key, below)));
    assertTrue(
        refused.toString().contains("etcdserver: mvcc: required revision has been compacted"),
        refused::toString);
    assertWatchIsCompacted(CLIENTS.get(member), key, second);
  }

  private static void assertWatchIsCompacted(Client client, ByteSequence key, long compacted)
      throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    WatchOption option = WatchOption.builder().withRevision(1).build();
    Watch.Listener listener =
        Watch.listener(response -> {}, failure::complete, () -> failure.complete(null));
    Watch.Watcher watcher = client.getWatchClient().watch(key, option, listener);
    CompactedException end = (CompactedException) answer(failure);
    assertEquals(compacted, end.getCompactedRevision());
    watcher.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void membersAndStatus(int member) throws Exception {
    Client client = CLIENTS.get(member);
    List<String> names =
        answer(client.getClusterClient().listMember()).getMembers().stream()
            .map(Member::getName)
            .sorted()
            .toList();
    assertEquals(List.of("m0", "m1", "m2"), names);
    StatusResponse status =
        answer(client.getMaintenanceClient().statusMember("http://" + cluster.endpoint(member)));
    assertTrue(status.getDbSize() > 0);
    assertTrue(status.getLeader() != 0);
    assertTrue(status.getVersion().matches("3\\.\\d+\\.\\d+"), status.getVersion());
  }
}
