package io.tidemark.server.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.server.edge.EdgeSettings.Keepalive;
import io.tidemark.server.edge.FrameClient.Frame;
import io.tidemark.server.edge.ProbeServer.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
final class PingProbeTest {
  private static final int ENHANCE_YOUR_CALM = 11;

  private static void openCall(FrameClient client, ProbeServer server) throws Exception {
    client.call("/" + ProbeServer.NEVER.getFullMethodName());
    assertNotNull(server.unanswered.poll(10, TimeUnit.SECONDS), "the call came in");
  }

  private static void assertSentAway(Frame goAway) {
    // last stream, code, text
    assertEquals(ENHANCE_YOUR_CALM, goAway.payload().byteAt(7));
    assertEquals(ByteString.copyFromUtf8("too_many_pings"), goAway.payload().substring(8));
  }

  /**
   * With the settings of a member, all connections at a time: a ping every 5 s is answered, beside
   * a call and without one; one every second ends the connection. (etcd takes the first for granted
   * and ends at the fourth.)
   */
  @Test
  void everyFiveSecondsIsWelcomeAndEverySecondIsNot() throws Exception {
    ExecutorService clients = Executors.newCachedThreadPool();
    try (ProbeServer plain = ProbeServer.open(Wire.PLAIN, Keepalive.defaults());
        ProbeServer tls = ProbeServer.open(Wire.TLS, Keepalive.defaults())) {
      List<Callable<Integer>> paces = new ArrayList<>();
      for (ProbeServer server : List.of(plain, tls)) {
        paces.add(() -> answersToSteadyPings(server, false));
        paces.add(() -> answersToSteadyPings(server, true));
        paces.add(() -> pingsUntilSentAway(server));
      }
      List<Integer> results = new ArrayList<>();
      for (Future<Integer> result : clients.invokeAll(paces)) {
        results.add(result.get());
      }
      assertEquals(List.of(4, 4, 3, 4, 4, 3), results);
    } finally {
      clients.shutdownNow();
    }
  }

  /** Four pings at a rate of one in five seconds; fails at a GOAWAY. */
  private static int answersToSteadyPings(ProbeServer server, boolean withCall) throws Exception {
    try (FrameClient client = FrameClient.connect(server)) {
      if (withCall) {
        openCall(client, server);
      }
      int answers = 0;
      long start = System.nanoTime();
      for (int i = 0; i < 4; i++) {
        assertFalse(client.isSentAwayUntil(start + TimeUnit.SECONDS.toNanos(5) * i), "GOAWAY");
        client.ping(i);
        answers += answeredOrFail(client, i);
      }
      assertFalse(client.isSentAwayUntil(System.nanoTime() + 100_000_000L), "GOAWAY");
      return answers;
    }
  }

  /** One ping a second; gives how many it took. */
  private static int pingsUntilSentAway(ProbeServer server) throws Exception {
    try (FrameClient client = FrameClient.connect(server)) {
      long start = System.nanoTime();
      int sent = 0;
      do {
        client.ping(sent);
        sent++;
      } while (!client.isSentAwayUntil(start + TimeUnit.SECONDS.toNanos(sent)));
      return sent;
    }
  }

  private static int answeredOrFail(FrameClient client, int number) throws Exception {
    Frame frame = client.read();
    // the server measures the path by pings of its own
    while (!frame.isAnswerToPing()) {
      assertTrue(frame.type() != FrameClient.GOAWAY, "GOAWAY");
      frame = client.read();
    }
    assertEquals(number, frame.payload().byteAt(7));
    return 1;
  }

  /** Twenty pings at the allowed pace: each is acknowledged, no GOAWAY. */
  private static void assertPingsAreWelcome(FrameClient client, Duration pause) throws Exception {
    for (int i = 0; i < 20; i++) {
      client.ping(i);
      assertEquals(1, answeredOrFail(client, i));
      // counted from the answer: the server takes a ping in before it answers, however late
      assertFalse(client.isSentAwayUntil(System.nanoTime() + pause.toNanos()), "GOAWAY");
    }
  }

  @ParameterizedTest
  @EnumSource
  void pingsWithoutCallsAreWelcome(Wire wire) throws Exception {
    try (ProbeServer server = ProbeServer.open(wire);
        FrameClient client = FrameClient.connect(server)) {
      assertPingsAreWelcome(client, ProbeServer.PING_MIN);
    }
  }

  @ParameterizedTest
  @EnumSource
  void pingsDuringACallAreWelcome(Wire wire) throws Exception {
    try (ProbeServer server = ProbeServer.open(wire);
        FrameClient client = FrameClient.connect(server)) {
      openCall(client, server);
      assertPingsAreWelcome(client, ProbeServer.PING_MIN);
    }
  }

  /** Pings far faster than allowed end the connection, as etcd does. */
  @ParameterizedTest
  @EnumSource
  void floodOfPingsIsSentAway(Wire wire) throws Exception {
    try (ProbeServer server = ProbeServer.open(wire);
        FrameClient client = FrameClient.connect(server)) {
      client.pings(20);
      assertSentAway(client.read(FrameClient.GOAWAY));
    }
  }
}
