package io.tidemark.it.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Election;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.election.CampaignResponse;
import io.etcd.jetcd.election.LeaderResponse;
import io.etcd.jetcd.election.NoLeaderException;
import io.etcd.jetcd.election.NotLeaderException;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.lease.LeaseTimeToLiveResponse;
import io.etcd.jetcd.lock.LockResponse;
import io.etcd.jetcd.options.LeaseOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
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

/** The lease, lock and election APIs of the Java client jetcd, against each member. */
@Tag("clients")
class JetcdLeaseIT {
  private static final long LIMIT_SECONDS = 30;

  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static final List<Client> CLIENTS = new ArrayList<>();

  @BeforeAll
  static void start() {
    ProcessCluster cluster = CLUSTERS.start(ClusterPlan.of(3));
    for (int i = 0; i < cluster.size(); i++) {
      CLIENTS.add(
          CLUSTERS.closing(Client.builder().endpoints("http://" + cluster.endpoint(i)).build()));
    }
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }

  private static <T> T answer(CompletableFuture<T> future) throws Exception {
    return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private static long grant(int member) throws Exception {
    return answer(CLIENTS.get(member).getLeaseClient().grant(60)).getID();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void leases(int member) throws Exception {
    Client client = CLIENTS.get(member);
    Lease leases = client.getLeaseClient();
    long id = grant(member);
    ByteSequence key = bytes("jetcd-leased" + member);
    answer(client.getKVClient().put(key, bytes("v"), PutOption.builder().withLeaseId(id).build()));
    LeaseTimeToLiveResponse left =
        answer(leases.timeToLive(id, LeaseOption.builder().withAttachedKeys().build()));
    assertEquals(60, left.getGrantedTTL());
    assertTrue(left.getTTL() >= 50 && left.getTTL() <= 60, () -> "left: " + left.getTTL());
    assertEquals(List.of(key), left.getKeys());
    assertEquals(60, answer(leases.keepAliveOnce(id)).getTTL());
    BlockingQueue<LeaseKeepAliveResponse> kept = new ArrayBlockingQueue<>(16);
    try (CloseableClient keeper = leases.keepAlive(id, Observers.observer(kept::offer))) {
      LeaseKeepAliveResponse answer = kept.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertEquals(60, answer == null ? -1 : answer.getTTL());
    }
    answer(leases.revoke(id));
    assertEquals(0, answer(client.getKVClient().get(key)).getCount());
    ExecutionException gone =
        assertThrows(ExecutionException.class, () -> answer(leases.revoke(id)));
    assertTrue(
        String.valueOf(gone.getMessage()).contains("etcdserver: requested lease not found"),
        gone::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void locks(int member) throws Exception {
    Lock mine = CLIENTS.get(member).getLockClient();
    Lock other = CLIENTS.get((member + 1) % 3).getLockClient();
    ByteSequence name = bytes("jetcd-lock" + member);
    long lease = grant(member);
    long otherLease = grant(member);
    LockResponse held = answer(mine.lock(name, lease));
    assertEquals(name.toString(UTF_8) + "/" + Long.toHexString(lease), text(held.getKey()));
    CompletableFuture<LockResponse> waiting = other.lock(name, otherLease);
    assertFalse(waiting.isDone());
    answer(mine.unlock(held.getKey()));
    LockResponse next = answer(waiting);
    assertEquals(name.toString(UTF_8) + "/" + Long.toHexString(otherLease), text(next.getKey()));
    answer(other.unlock(next.getKey()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void elections(int member) throws Exception {
    Election mine = CLIENTS.get(member).getElectionClient();
    Election other = CLIENTS.get((member + 1) % 3).getElectionClient();
    ByteSequence name = bytes("jetcd-election" + member);
    ExecutionException nobody =
        assertThrows(ExecutionException.class, () -> answer(other.leader(name)));
    assertInstanceOf(NoLeaderException.class, nobody.getCause());
    BlockingQueue<String> seen = new ArrayBlockingQueue<>(16);
    other.observe(
        name,
        new Election.Listener() {
          @Override
          public void onNext(LeaderResponse response) {
            seen.add(text(response.getKv().getValue()));
          }

          @Override
          public void onError(Throwable error) {}

          @Override
          public void onCompleted() {}
        });
    CampaignResponse first = answer(mine.campaign(name, grant(member), bytes("one")));
    assertEquals("one", seen.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
    answer(mine.proclaim(first.getLeader(), bytes("uno")));
    assertEquals("uno", seen.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
    assertEquals("uno", text(answer(other.leader(name)).getKv().getValue()));
    CompletableFuture<CampaignResponse> second = other.campaign(name, grant(member), bytes("two"));
    answer(mine.resign(first.getLeader()));
    CampaignResponse elected = answer(second);
    assertEquals("two", seen.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
    ExecutionException late =
        assertThrows(
            ExecutionException.class,
            () -> answer(mine.proclaim(first.getLeader(), bytes("late"))));
    assertInstanceOf(NotLeaderException.class, late.getCause());
    answer(other.resign(elected.getLeader()));
  }

  private static String text(ByteSequence bytes) {
    return bytes.toString(UTF_8);
  }
}
