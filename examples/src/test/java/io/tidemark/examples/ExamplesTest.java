package io.tidemark.examples;

import static io.tidemark.examples.Texts.answer;
import static io.tidemark.examples.Texts.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.tidemark.testkit.TidemarkCluster;
import io.tidemark.testkit.TidemarkClusterExtension;
import io.tidemark.testkit.TidemarkMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each example at work, while the member that leads is killed. */
@Timeout(120)
class ExamplesTest {
  @RegisterExtension
  static final TidemarkClusterExtension extension =
      new TidemarkClusterExtension(TidemarkCluster.builder().withNodes(3).withPrefix("examples"));

  private final TidemarkCluster cluster = extension.cluster();
  private Client client;

  @BeforeEach
  void connect() {
    cluster.start();
    client = Client.builder().endpoints(cluster.clientEndpoints()).build();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private void killTheLeader() {
    TidemarkMember leader = cluster.awaitLeader();
    leader.kill();
    cluster.awaitLeaderOtherThan(leader);
  }

  private void put(String key, String value) {
    answer(client.getKVClient().put(bytes(key), bytes(value)));
  }

  @Test
  void servicesAreFoundUntilTheyLeaveOrDie() throws Exception {
    try (ServiceDirectory directory = new ServiceDirectory(client, "mail");
        ServiceDirectory.Offer one = directory.offer("one", "10.0.0.1:25", 60)) {
      ServiceDirectory.Offer two = directory.offer("two", "10.0.0.2:25", 60);
      Steadily.until("both", () -> directory.addresses().size() == 2);
      killTheLeader();
      ServiceDirectory.Offer three = directory.offer("three", "10.0.0.3:25", 60);
      two.close();
      Steadily.until(
          "two has left",
          () -> List.of("10.0.0.1:25", "10.0.0.3:25").equals(sorted(directory.addresses())));
      three.renewals().close(); // it dies
      one.renewals().close();
      letLeasesRunOutUntil("nobody", () -> directory.addresses().isEmpty());
    }
  }

  /**
   * Lets the minute pass that leases have here, and another one every few seconds: a renewal that
   * was on its way when its sender stopped may come after the time has jumped, and counts.
   */
  private void letLeasesRunOutUntil(String what, Callable<Boolean> condition) throws Exception {
    AtomicInteger looks = new AtomicInteger();
    Steadily.until(
        what,
        () -> {
          if (looks.getAndIncrement() % 500 == 0) {
            cluster.leaseTime().advance(Duration.ofSeconds(65));
          }
          return condition.call();
        });
  }

  private static List<String> sorted(List<String> texts) {
    return texts.stream().sorted().toList();
  }

  @Test
  void settingsAreSeenWholeAndInOrder() throws Exception {
    put("settings/a", "0");
    put("settings/b", "0");
    List<Map<String, String>> seen = new CopyOnWriteArrayList<>();
    try (LiveSettings settings = new LiveSettings(client, "settings/")) {
      settings.listen(seen::add);
      for (int i = 1; i <= 20; i++) {
        if (i == 10) {
          killTheLeader();
        }
        answer(
            client
                .getKVClient()
                .txn()
                .Then(write("settings/a", i), write("settings/b", i))
                .commit());
      }
      Steadily.until("the last", () -> "20".equals(settings.all().get("settings/b")));
    }
    int last = 0;
    for (Map<String, String> state : seen) {
      assertEquals(state.get("settings/a"), state.get("settings/b"), "half a transaction");
      int now = Integer.parseInt(state.get("settings/a"));
      assertTrue(now >= last, () -> "went back: " + seen);
      last = now;
    }
  }

  private static Op write(String key, int value) {
    return Op.put(bytes(key), bytes(String.valueOf(value)), PutOption.DEFAULT);
  }

  @Test
  void oneCandidateHoldsTheOfficeAtATime() throws Exception {
    Candidate first = new Candidate(client, "office", "first", 60);
    first.elected().get(30, TimeUnit.SECONDS);
    try (Candidate second = new Candidate(client, "office", "second", 60)) {
      assertEquals("first", Candidate.holder(client, "office"));
      killTheLeader();
      assertEquals("first", Candidate.holder(client, "office"));
      assertFalse(second.elected().isDone());
      first.close();
      second.elected().get(30, TimeUnit.SECONDS);
      assertEquals("second", Candidate.holder(client, "office"));
    }
  }

  @Test
  void theLockLetsOneInAndRefusesASleeper() throws Exception {
    FencedLock lock = new FencedLock(client, "locks/door");
    FencedLock.Hold sleeper = lock.lock(60);
    assertTrue(sleeper.put("guarded", "by the first"));
    CompletableFuture<FencedLock.Hold> waiting = CompletableFuture.supplyAsync(() -> hold(lock));
    killTheLeader();
    assertTrue(sleeper.put("guarded", "by the first, again"));
    assertFalse(waiting.isDone());
    sleeper.fallAsleep();
    letLeasesRunOutUntil("the next", waiting::isDone);
    try (FencedLock.Hold next = waiting.get(30, TimeUnit.SECONDS)) {
      assertFalse(sleeper.put("guarded", "by a sleeper"));
      assertTrue(next.put("guarded", "by the next"));
    }
  }

  private static FencedLock.Hold hold(FencedLock lock) {
    try {
      return lock.lock(600);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatIsFollowsWhatIsWanted() throws Exception {
    put("actual/stray", "x");
    try (Reconciler reconciler = new Reconciler(client);
        Reconciler twin = new Reconciler(client);
        ListWatchCache actual = new ListWatchCache(client, "actual/", () -> {})) {
      for (int i = 0; i < 20; i++) {
        if (i == 10) {
          killTheLeader();
        }
        put("wanted/" + i, "v" + i);
      }
      answer(client.getKVClient().delete(bytes("wanted/3")));
      List<String> expected = new ArrayList<>();
      IntStream.range(0, 20).filter(i -> i != 3).forEach(i -> expected.add("actual/" + i));
      Steadily.until(
          "the wanted state",
          () -> actual.contents().keySet().equals(java.util.Set.copyOf(expected)));
      assertEquals("v19", actual.contents().get("actual/19"));
      assertTrue(actual.revision() > 0);
    }
  }
}
