package io.tidemark.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.clusterconfig.ConfigResult;
import io.tidemark.clusterconfig.MemberConfig;
import io.tidemark.clusterconfig.MemberConfigReader;
import io.tidemark.server.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member without the kit; what docs/embedding.md shows stands here. */
@Timeout(120)
class EmbeddingTest {
  @TempDir Path directory;

  private static MemberConfig config(String... flags) {
    ConfigResult read = MemberConfigReader.read(flags, Map.of());
    if (read instanceof ConfigResult.Valid valid) {
      return valid.config();
    }
    throw new IllegalArgumentException(read.toString());
  }

  private MemberConfig anywhere() {
    return config(
        "--data-dir=" + directory,
        "--listen-client-urls=http://127.0.0.1:0",
        "--advertise-client-urls=http://127.0.0.1:2379",
        "--listen-peer-urls=http://127.0.0.1:0");
  }

  @Test
  void aMemberInAnyJvm() throws Exception {
    try (Member member = Member.start(anywhere())) {
      member.ready().get(30, TimeUnit.SECONDS);
      URI endpoint = URI.create("http://127.0.0.1:" + member.clientPorts().get(0));
      try (Keys keys = Keys.at(List.of(endpoint))) {
        keys.put("greeting", "hello");
        assertEquals(List.of("hello"), keys.get("greeting"));
      }
      assertTrue(member.isLeader());
      assertTrue(member.peerPort() > 0);
      assertFalse(member.ended().isDone());
    }
  }

  @Test
  void closeIsToldAndTheDataIsThereAgain() throws Exception {
    Member member = Member.start(anywhere());
    member.ready().get(30, TimeUnit.SECONDS);
    long id = member.id();
    try (Keys keys =
        Keys.at(List.of(URI.create("http://127.0.0.1:" + member.clientPorts().get(0))))) {
      keys.put("kept", "1");
    }
    member.close();
    member.close();
    assertTrue(member.ended().isDone());
    assertFalse(member.ended().isCompletedExceptionally());
    try (Member again = Member.start(anywhere())) {
      again.ready().get(30, TimeUnit.SECONDS);
      assertEquals(id, again.id());
      try (Keys keys =
          Keys.at(List.of(URI.create("http://127.0.0.1:" + again.clientPorts().get(0))))) {
        assertEquals(List.of("1"), keys.get("kept"));
      }
    }
  }

  /** The store and the log are open by then; all of it must be closed again. */
  @Test
  void aStartThatFailsLeavesNothingOpen() throws Exception {
    Member.start(anywhere()).close();
    JvmTraces before = JvmTraces.now();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      MemberConfig config =
          config(
              "--data-dir=" + directory,
              "--listen-client-urls=http://127.0.0.1:" + taken.getLocalPort(),
              "--advertise-client-urls=http://127.0.0.1:2379",
              "--listen-peer-urls=http://127.0.0.1:0");
      IOException refused = assertThrows(IOException.class, () -> Member.start(config));
      assertTrue(
          String.valueOf(refused.getMessage()).startsWith("cannot listen on"), refused::toString);
    }
    JvmTraces.await(
        "threads left: " + JvmTraces.threadsSince(before),
        () -> JvmTraces.threadsSince(before).isEmpty());
    try (Member member = Member.start(anywhere())) {
      member.ready().get(30, TimeUnit.SECONDS);
    }
  }
}
