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
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Patience;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Leases under leader kills and pauses: none ends before its time to live has passed since its last
 * answered renewal was sent, and none much later than that.
 */
@Tag("chaos")
class LeaseLifeIT {
  private static final int LEASES = 12;
  private static final long TTL_SECONDS = 4;

  /** The clock's interval in the log, an election, and a second. */
  private static final Duration LATE_MAX = Patience.stretch(Duration.ofSeconds(1 + 2 + 1));

  private static final Duration ONE_ANSWER = Duration.ofSeconds(2);
  private static final Duration PACE = Duration.ofMillis(500);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  void noLeaseEndsEarlyAndNoneMuchLater() throws Exception {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3));
    List<Holder> holders = new ArrayList<>();
    for (int i = 0; i < LEASES; i++) {
      holders.add(new Holder(cluster, 100 + i, i % 3));
    }
    ExecutorService threads = Executors.newFixedThreadPool(LEASES + 1);
    try {
      List<Future<?>> running = new ArrayList<>();
      holders.forEach(holder -> running.add(threads.submit(holder::keepAlive)));
      running.add(threads.submit(() -> watchTheKeys(cluster, holders)));

      int killed = cluster.awaitLeader();
      cluster.kill(killed);
      int paused = cluster.awaitLeader(cluster.allBut(killed));
      cluster.restart(killed);
      // Half of the holders go silent; their leases end while the next leader is on its way.
      holders.subList(0, LEASES / 2).forEach(Holder::stop);
      cluster.member(paused).pause();
      cluster.awaitLeader(cluster.allBut(paused));
      LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
      cluster.member(paused).resume();
      for (Holder holder : holders.subList(0, LEASES / 2)) {
        holder.awaitEnd();
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

  /** Notes when each key is gone, by linearizable reads. */
  private static void watchTheKeys(ProcessCluster cluster, List<Holder> holders) {
    while (holders.stream().anyMatch(holder -> holder.goneAt == 0)) {
      for (Holder holder : holders) {
        if (holder.goneAt == 0) {
          int member = (int) (System.nanoTime() % 3 + 3) % 3;
          MemberClient client = cluster.client(member).patient(ONE_ANSWER);
          client.redial();
          var read = client.get(holder.key());
          if (read.answered() && read.answer().getCount() == 0) {
            holder.goneAt = System.nanoTime();
          }
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** Somebody with a lease and a key, who renews through one member after the other. */
  private static final class Holder {
    final ProcessCluster cluster;
    final long lease;
    volatile boolean stopped;
    volatile long goneAt;

    /** When the last renewal that was answered was sent, and when the last try was over. */
    long answeredSentAt;

    long lastTryAt;
    private int member;

    Holder(ProcessCluster cluster, long lease, int member) {
      this.cluster = cluster;
      this.lease = lease;
      this.member = member;
      this.answeredSentAt = System.nanoTime();
      var unused =
          LeaseGrpc.newBlockingStub(cluster.client(member).channel())
              .leaseGrant(LeaseGrantRequest.newBuilder().setID(lease).setTTL(TTL_SECONDS).build());
      this.lastTryAt = System.nanoTime();
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

    void stop() {
      stopped = true;
    }

    void keepAlive() {
      while (!stopped && goneAt == 0) {
        long sentAt = System.nanoTime();
        long ttl = renew();
        lastTryAt = System.nanoTime();
        if (ttl > 0) {
          assertEquals(TTL_SECONDS, ttl);
          answeredSentAt = sentAt;
        } else if (ttl == 0) {
          return;
        } else {
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
      long limit = System.nanoTime() + Patience.stretch(LIMIT).toNanos();
      while (goneAt == 0) {
        assertTrue(System.nanoTime() - limit < 0, () -> key() + " lives on");
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }

    void judge() {
      Duration lived = Duration.ofNanos(goneAt - answeredSentAt);
      assertTrue(
          lived.compareTo(Duration.ofSeconds(TTL_SECONDS)) >= 0,
          () -> key() + " ended " + lived + " after its last answered renewal was sent");
      Duration late = Duration.ofNanos(goneAt - lastTryAt).minusSeconds(TTL_SECONDS);
      assertTrue(late.compareTo(LATE_MAX) <= 0, () -> key() + " ended " + late + " late");
    }
  }
}
