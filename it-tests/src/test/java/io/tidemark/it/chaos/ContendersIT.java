package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.v3lockpb.LockGrpc;
import io.tidemark.api.v3lockpb.LockRequest;
import io.tidemark.api.v3lockpb.LockResponse;
import io.tidemark.api.v3lockpb.UnlockRequest;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Patience;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Many contenders for one lock while leaders are killed: never two holders by the order of
 * revisions, and everybody gets it in the end.
 */
class ContendersIT {
  private static final ByteString NAME = ByteString.copyFromUtf8("contended");
  private static final Duration ONE_ANSWER = Duration.ofSeconds(20);
  private static final Duration HELD = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(100);

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  @Tag("chaos")
  void thirtyContendersAndOneKilledLeader() throws Exception {
    contend(30, 1, Duration.ofSeconds(60));
  }

  @Test
  @Tag("long")
  void twoHundredContendersAndFourKilledLeaders() throws Exception {
    contend(200, 4, Duration.ofMinutes(5));
  }

  private void contend(int contenders, int kills, Duration limit) throws Exception {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3));
    ExecutorService threads = Executors.newFixedThreadPool(contenders);
    List<Hold> holds = new ArrayList<>();
    CountDownLatch left = new CountDownLatch(contenders);
    long deadline = System.nanoTime() + Patience.stretch(limit).toNanos();
    try {
      List<Future<Hold>> running = new ArrayList<>();
      for (int i = 0; i < contenders; i++) {
        Contender contender = new Contender(cluster, 0x1000 + i, i % 3, deadline);
        running.add(
            threads.submit(
                () -> {
                  Hold hold = contender.lockOnce();
                  left.countDown();
                  return hold;
                }));
      }
      for (int kill = 1; kill <= kills; kill++) {
        long wanted = contenders - (long) contenders * kill / (kills + 1);
        while (left.getCount() > wanted && System.nanoTime() - deadline < 0) {
          LockSupport.parkNanos(PAUSE.toNanos());
        }
        int leader = cluster.awaitLeader();
        cluster.kill(leader);
        cluster.awaitLeader(cluster.allBut(leader));
        cluster.restart(leader);
      }
      for (Future<Hold> each : running) {
        holds.add(each.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(contenders, holds.size());
    assertOneAtATime(holds, Replicas.agreed(cluster).events());
  }

  /** Who held the lock from when on, as the service said. */
  private record Hold(ByteString key, long fromRevision) {}

  /** A key's stay in the queue. */
  private record Stay(long created, long deleted) {}

  private static void assertOneAtATime(List<Hold> holds, List<Event> events) {
    Map<ByteString, List<Stay>> stays = stays(events);
    TreeMap<Long, Long> heldUntil = new TreeMap<>();
    for (Hold hold : holds) {
      Stay mine =
          stays.getOrDefault(hold.key, List.of()).stream()
              .filter(stay -> stay.created <= hold.fromRevision && hold.fromRevision < stay.deleted)
              .findFirst()
              .orElseThrow(() -> new AssertionError("not in the queue at its turn: " + hold));
      for (List<Stay> others : stays.values()) {
        for (Stay other : others) {
          assertTrue(
              other.created >= mine.created || other.deleted <= hold.fromRevision,
              () -> hold + " had the lock before " + other + " was gone");
        }
      }
      heldUntil.put(hold.fromRevision, mine.deleted);
    }
    long free = 0;
    for (Map.Entry<Long, Long> held : heldUntil.entrySet()) {
      long from = held.getKey();
      long before = free;
      assertTrue(from >= free, () -> "held from " + from + " and until " + before);
      free = held.getValue();
    }
  }

  private static Map<ByteString, List<Stay>> stays(List<Event> events) {
    Map<ByteString, List<Stay>> stays = new HashMap<>();
    Map<ByteString, Long> open = new HashMap<>();
    for (Event event : events) {
      ByteString key = event.getKv().getKey();
      if (!key.startsWith(NAME)) {
        continue;
      }
      if (event.getType() == Event.EventType.PUT) {
        open.putIfAbsent(key, event.getKv().getModRevision());
      } else {
        Long created = open.remove(key);
        stays
            .computeIfAbsent(key, k -> new ArrayList<>())
            .add(new Stay(created == null ? 0 : created, event.getKv().getModRevision()));
      }
    }
    open.forEach(
        (key, created) ->
            stays
                .computeIfAbsent(key, k -> new ArrayList<>())
                .add(new Stay(created, Long.MAX_VALUE)));
    stays.values().forEach(list -> list.sort(Comparator.comparingLong(Stay::created)));
    return stays;
  }

  /** Somebody with a lease who wants the lock once; goes to the next member when one fails. */
  private static final class Contender {
    private final ProcessCluster cluster;
    private final long lease;
    private final long deadline;
    private int member;

    Contender(ProcessCluster cluster, long lease, int member, long deadline) {
      this.cluster = cluster;
      this.lease = lease;
      this.member = member;
      this.deadline = deadline;
      var unused =
          LeaseGrpc.newBlockingStub(cluster.client(member).channel())
              .leaseGrant(LeaseGrantRequest.newBuilder().setID(lease).setTTL(3600).build());
    }

    Hold lockOnce() {
      LockRequest request = LockRequest.newBuilder().setName(NAME).setLease(lease).build();
      LockResponse mine = untilAnswered(stub -> stub.lock(request));
      Hold hold = new Hold(mine.getKey(), mine.getHeader().getRevision());
      LockSupport.parkNanos(HELD.toNanos());
      UnlockRequest unlock = UnlockRequest.newBuilder().setKey(mine.getKey()).build();
      var unused = untilAnswered(stub -> stub.unlock(unlock));
      return hold;
    }

    private <T> T untilAnswered(java.util.function.Function<LockGrpc.LockBlockingStub, T> call) {
      while (true) {
        MemberClient client = cluster.client(member);
        client.redial();
        try {
          return call.apply(
              LockGrpc.newBlockingStub(client.channel())
                  .withDeadlineAfter(ONE_ANSWER.toMillis(), TimeUnit.MILLISECONDS));
        } catch (StatusRuntimeException failed) {
          if (System.nanoTime() - deadline > 0) {
            throw failed;
          }
          member = (member + 1) % 3;
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    }
  }
}
