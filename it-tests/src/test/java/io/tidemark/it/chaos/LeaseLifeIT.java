package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.BlockingClientCall;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Patience;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Leases under leader kills and pauses: none ends before its time to live has passed since its last
 * answered renewal was sent, and none much later than that.
 */
class LeaseLifeIT {
  private static final long TTL_SECONDS = 4;

  /** The clock's interval in the log, an election, and a second. */
  private static final Duration LATE_MAX = Patience.stretch(Duration.ofSeconds(1 + 2 + 1));

  private static final Duration ONE_ANSWER = Duration.ofSeconds(2);
  private static final Duration PACE = Duration.ofMillis(500);
  private static final Duration PAUSED = Duration.ofSeconds(2);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final ByteString KEYS = ByteString.copyFromUtf8("life/");
  private static final ByteString KEYS_END = ByteString.copyFromUtf8("life0");

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  @Tag("chaos")
  void noLeaseEndsEarlyAndNoneMuchLater() throws Exception {
    live(12, 1);
  }

  @Test
  @Tag("long")
  void noLeaseEndsEarlyAndNoneMuchLaterInManyRounds() throws Exception {
    live(60, 5);
  }

  /** In each round a leader is killed and the next one paused; some holders go silent meanwhile. */
  private void live(int leases, int rounds) throws Exception {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3));
    List<Holder> holders = new ArrayList<>();
    for (int i = 0; i < leases; i++) {
      holders.add(new Holder(cluster, 100 + i, i % 3));
    }
    ExecutorService threads = Executors.newFixedThreadPool(leases + 3);
    try {
      List<Future<?>> running = new ArrayList<>();
      holders.forEach(holder -> running.add(threads.submit(holder::keepAlive)));
      for (int member = 0; member < 3; member++) {
        MemberClient client = cluster.client(member);
        running.add(threads.submit(() -> watchTheKeys(client, holders)));
      }
      int silenced = leases / (rounds + 1);
      for (int round = 0; round < rounds; round++) {
        List<Holder> silent = holders.subList(round * silenced, (round + 1) * silenced);
        killAndPause(cluster, holders, silent);
        silent.forEach(Holder::awaitEnd);
      }
      holders.forEach(Holder::stop);
      holders.forEach(Holder::awaitEnd);
      for (Future<?> each : running) {
        each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    for (Holder holder : holders) {
      holder.judge();
    }
  }

  /** Leases of the silent end while the next leader is on its way, or the old one comes back. */
  private static void killAndPause(ProcessCluster cluster, List<Holder> all, List<Holder> silent) {
    int killed = cluster.awaitLeader();
    cluster.kill(killed);
    int paused = cluster.awaitLeader(cluster.allBut(killed));
    cluster.restart(killed);
    silent.forEach(Holder::stop);
    cluster.member(paused).pause();
    cluster.awaitLeader(cluster.allBut(paused));
    LockSupport.parkNanos(PAUSED.toNanos());
    cluster.member(paused).resume();
    all.forEach(holder -> holder.resumed(paused));
  }

  /**
   * Notes when each key is gone, by linearizable reads of all keys at once through one member.
   * While there is no leader there are neither reads nor expiries.
   */
  private static void watchTheKeys(MemberClient anyClient, List<Holder> holders) {
    MemberClient client = anyClient.patient(ONE_ANSWER);
    RangeRequest all =
        RangeRequest.newBuilder().setKey(KEYS).setRangeEnd(KEYS_END).setKeysOnly(true).build();
    while (holders.stream().anyMatch(holder -> !holder.gone())) {
      client.redial();
      var read = client.range(all);
      if (read.answered()) {
        Set<String> there =
            read.answer().getKvsList().stream()
                .map(pair -> pair.getKey().toStringUtf8())
                .collect(Collectors.toSet());
        holders.stream().filter(h -> !there.contains(h.key())).forEach(Holder::seenGone);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** Somebody with a lease and a key, who renews through one member after the other. */
  private static final class Holder {
    final ProcessCluster cluster;
    final long lease;
    private final AtomicLong goneAt = new AtomicLong();
    private volatile boolean stopped;

    /** When the last renewal that was answered was sent. */
    private volatile long answeredSentAt;

    /** The last moment at which a try, answered or not, may have renewed the lease. */
    private final AtomicLong lastTryAt = new AtomicLong();

    private final Set<Integer> unanswered = ConcurrentHashMap.newKeySet();
    private int member;

    Holder(ProcessCluster cluster, long lease, int member) {
      this.cluster = cluster;
      this.lease = lease;
      this.member = member;
      this.answeredSentAt = System.nanoTime();
      var unused =
          LeaseGrpc.newBlockingStub(cluster.client(member).channel())
              .leaseGrant(LeaseGrantRequest.newBuilder().setID(lease).setTTL(TTL_SECONDS).build());
      lastTryAt.set(System.nanoTime());
      assertTrue(
          cluster
              .client(member)
              .put(
                  PutRequest.newBuilder()
                      .setKey(ByteString.copyFromUtf8(key()))
                      .setLease(lease)
                      .build())
              .answered());
    }

    String key() {
      return "life/" + lease;
    }

    boolean gone() {
      return goneAt.get() != 0;
    }

    /** The first to see it counts. */
    void seenGone() {
      goneAt.compareAndSet(0, System.nanoTime());
    }

    void stop() {
      stopped = true;
    }

    /** A member goes on, perhaps with a renewal that nobody waits for any more. */
    void resumed(int resumedMember) {
      if (unanswered.contains(resumedMember)) {
        lastTryAt.accumulateAndGet(System.nanoTime(), Math::max);
      }
    }

    void keepAlive() {
      while (!stopped && !gone()) {
        long sentAt = System.nanoTime();
        long ttl = renew();
        lastTryAt.set(System.nanoTime());
        if (ttl > 0) {
          assertEquals(TTL_SECONDS, ttl);
          answeredSentAt = sentAt;
          unanswered.remove(member);
        } else if (ttl == 0) {
          return;
        } else {
          unanswered.add(member);
          member = (member + 1) % 3;
        }
        LockSupport.parkNanos(PACE.toNanos());
      }
    }

    /** The answered time to live, or -1 for no answer. */
    private long renew() {
      MemberClient client = cluster.client(member);
      client.redial();
      BlockingClientCall<LeaseKeepAliveRequest, LeaseKeepAliveResponse> call =
          LeaseGrpc.newBlockingV2Stub(client.channel())
              .withDeadlineAfter(ONE_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
              .leaseKeepAlive();
      try {
        call.write(LeaseKeepAliveRequest.newBuilder().setID(lease).build());
        LeaseKeepAliveResponse answer = call.read();
        return answer == null ? -1 : answer.getTTL();
      } catch (io.grpc.StatusException | StatusRuntimeException failed) {
        return -1;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return -1;
      } finally {
        call.cancel("enough", null);
      }
    }

    void awaitEnd() {
      Await.until(key() + " is gone", LIMIT, this::gone);
    }

    void judge() {
      Duration lived = Duration.ofNanos(goneAt.get() - answeredSentAt);
      assertTrue(
          lived.compareTo(Duration.ofSeconds(TTL_SECONDS)) >= 0,
          () -> key() + " ended " + lived + " after its last answered renewal was sent");
      Duration late = Duration.ofNanos(goneAt.get() - lastTryAt.get()).minusSeconds(TTL_SECONDS);
      assertTrue(late.compareTo(LATE_MAX) <= 0, () -> key() + " ended " + late + " late");
    }
  }
}
