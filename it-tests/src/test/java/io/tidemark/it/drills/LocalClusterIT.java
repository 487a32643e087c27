package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Patience;
import io.tidemark.it.process.Ports;
import io.tidemark.it.process.Product;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/cluster}, as a person uses it. */
@Tag("drills")
class LocalClusterIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int MEMBERS = 3;

  /** Promised from empty data, once built, on two cores. */
  private static final Duration READY = Duration.ofSeconds(10);

  @TempDir Path directory;
  private Path data;
  private int base;

  @BeforeEach
  void choosePorts() {
    data = directory.resolve("data");
    base = Ports.block(10 * MEMBERS);
  }

  @AfterEach
  void leaveNothingRunning() {
    if (Files.exists(data.resolve("cluster.conf"))) {
      cluster("down");
    }
  }

  private Ended cluster(String... words) {
    return Command.of(Product.script("cluster").toString())
        .with(words)
        .with("--data", data.toString())
        .run(LIMIT);
  }

  private Ended up() {
    return cluster("up", "--detach", "-n", "" + MEMBERS, "--base-port", "" + base);
  }

  private void succeeds(String... words) {
    Ended ended = cluster(words);
    assertEquals(0, ended.code(), ended::all);
  }

  private String endpoints() {
    return "http://127.0.0.1:%d,http://127.0.0.1:%d,http://127.0.0.1:%d\n"
        .formatted(base, base + 10, base + 20);
  }

  /** What each member's line says: its state and whether it is healthy. */
  private List<String> states() {
    return cluster("status")
        .out()
        .lines()
        .skip(1)
        .map(line -> line.split(" +"))
        .map(words -> words[0] + " " + words[2] + " " + words[4])
        .toList();
  }

  private void awaitStates(String... expected) {
    Await.until("states " + List.of(expected), LIMIT, () -> states().equals(List.of(expected)));
  }

  private static String value(MemberClient client, String key) {
    return client.get(key).answer().getKvs(0).getValue().toStringUtf8();
  }

  @Test
  void aDayInTheLifeOfACluster() {
    Ended up = up();
    assertEquals(0, up.code(), up::all);
    assertTrue(up.out().contains(endpoints()), up::all);
    assertEquals(endpoints(), cluster("endpoints").out());
    assertEquals(List.of("0 running yes", "1 running yes", "2 running yes"), states());
    succeeds("status");

    try (MemberClient first = MemberClient.connect(base);
        MemberClient second = MemberClient.connect(base + 10)) {
      first.put("drill", "1").answer();
      killAndRestart(first, second);
      pauseAndResume(first);
      first.put("drill", "last").answer();
    }
    downAndUpAgain();
  }

  private void killAndRestart(MemberClient first, MemberClient second) {
    succeeds("kill", "1");
    assertEquals(1, cluster("status").code());
    awaitStates("0 running yes", "1 stopped no", "2 running yes");
    Await.until("writes again", LIMIT, () -> first.put("drill", "2").answered());
    succeeds("restart", "1");
    assertEquals(List.of("0 running yes", "1 running yes", "2 running yes"), states());
    second.redial();
    Await.until("reads again", LIMIT, () -> second.get("drill").answered());
    assertEquals("2", value(second, "drill"));
  }

  private void pauseAndResume(MemberClient first) {
    succeeds("pause", "2");
    awaitStates("0 running yes", "1 running yes", "2 paused no");
    Await.until("writes again", LIMIT, () -> first.put("drill", "3").answered());
    succeeds("resume", "2");
    awaitStates("0 running yes", "1 running yes", "2 running yes");
  }

  private void downAndUpAgain() {
    succeeds("down");
    assertEquals(List.of("0 stopped no", "1 stopped no", "2 stopped no"), states());
    assertTrue(IntStream.range(0, MEMBERS).allMatch(i -> isFree(base + 10 * i)));
    Ended again = cluster("up", "--detach");
    assertEquals(0, again.code(), again::all);
    try (MemberClient third = MemberClient.connect(base + 20)) {
      assertEquals("last", value(third, "drill"));
    }
    Ended log = cluster("logs", "0");
    assertTrue(log.out().contains("ready to serve client requests"), log::all);
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return probe.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  /** Asserted as promised on a quiet machine; the more crowded it is, the longer it may take. */
  @Test
  void threeMembersOnNothingAreReadyInTenSeconds() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    Duration took = timeUp();
    double crowding = Math.max(1, load / Runtime.getRuntime().availableProcessors());
    Duration limit =
        crowding == 1 ? READY : Patience.stretch(READY.multipliedBy((long) Math.ceil(crowding)));
    System.out.printf(
        "three members ready after %d ms; load %.1f, limit %d ms%n",
        took.toMillis(), load, limit.toMillis());
    assertTrue(took.compareTo(limit) <= 0, () -> "ready after " + took);
  }

  private Duration timeUp() {
    long began = System.nanoTime();
    Ended up = up();
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    assertEquals(0, up.code(), up::all);
    if (!up.err().contains("building (mvn")) {
      return took;
    }
    succeeds("down");
    data = directory.resolve("once-built");
    return timeUp();
  }

  @Test
  void takenPortIsNamedAndNothingIsLeftRunning() throws IOException {
    try (ServerSocket taken = new ServerSocket(base + 10, 1, InetAddress.getLoopbackAddress())) {
      assertTrue(taken.isBound());
      Ended up = up();
      assertEquals(1, up.code(), up::all);
      assertTrue(
          up.err()
              .contains(
                  "port %d, which member 1 needs, is taken by another process"
                      .formatted(base + 10)),
          up::all);
      assertTrue(isFree(base), up::all);
    }
    assertFalse(up().code() != 0);
  }

  @Test
  void mistakesAreExplained() {
    Ended nothing = cluster("status");
    assertEquals(1, nothing.code());
    assertTrue(nothing.err().contains("no cluster in " + data), nothing::all);
    Ended unknown = cluster("dance");
    assertEquals(1, unknown.code());
    assertTrue(unknown.err().contains("unknown command dance"), unknown::all);
  }
}
