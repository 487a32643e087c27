package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.RaftLimits;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.raftcore.settings.Surroundings;
import io.tidemark.raftcore.settings.UpkeepSettings;
import io.tidemark.watch.WatchLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DirectoryOwnerTest {
  @TempDir Path directory;

  private RaftMemberSettings settings(long clusterId, long memberId, int port) {
    PeerMember self =
        new PeerMember(memberId, "a", List.of(URI.create("http://127.0.0.1:" + port)));
    return new RaftMemberSettings(
        clusterId,
        memberId,
        "a",
        List.of(self),
        List.of("http://127.0.0.1:1"),
        directory,
        "127.0.0.1",
        port,
        null,
        Duration.ofMillis(1500),
        1 << 20,
        Duration.ofMillis(100),
        RaftLimits.defaults(1 << 20),
        MvccLimits.defaults(),
        WatchLimits.defaults(),
        UpkeepSettings.NONE);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static RaftMember start(RaftMemberSettings settings) {
    return RaftMember.start(
        settings,
        Surroundings.ofProcess(),
        (name, what, cause) -> {
          throw new AssertionError(what, cause);
        },
        new MetricRegistry());
  }

  private static String refusal(RaftMemberSettings settings) {
    var refused = assertThrows(UncheckedIOException.class, () -> start(settings).close());
    return String.valueOf(refused.getMessage());
  }

  private static void runOnce(RaftMemberSettings settings) throws Exception {
    try (RaftMember member = start(settings)) {
      assertTrue(member.awaitReady(Duration.ofSeconds(30)));
    }
  }

  @Test
  void otherMembersAndClustersAreRefusedAndChangeNothing() throws Exception {
    int port = freePort();
    RaftMemberSettings own = settings(0xC1, 0xA1, port);
    runOnce(own);
    assertEquals("1 a1 c1\n", Files.readString(directory.resolve("member/owner")));
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("member"))));

    for (RaftMemberSettings other :
        List.of(settings(0xC2, 0xA1, port), settings(0xC1, 0xA2, port), settings(7, 8, port))) {
      String message = refusal(other);
      assertTrue(message.contains("belongs to member a1 of cluster c1"), message);
    }

    try (Stream<Path> groups = Files.list(directory.resolve("member/raft"))) {
      assertEquals(1, groups.count());
    }
    runOnce(own);
  }

  @Test
  void aFormatOfLaterIsRefused() throws Exception {
    Files.createDirectories(directory.resolve("member"));
    Files.writeString(directory.resolve("member/owner"), "2 x\n");
    RaftMemberSettings own = settings(0xC1, 0xA1, freePort());
    String message = refusal(own);
    assertTrue(message.endsWith("has format '2', this program knows '1'"), message);
  }

  @Test
  void aPeerPortInUseLeavesTheDirectoryUnclaimed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      RaftMemberSettings own = settings(0xC1, 0xA1, taken.getLocalPort());
      String message = refusal(own);
      assertEquals(
          "cannot listen for peers on 127.0.0.1:"
              + taken.getLocalPort()
              + ": Address already in use",
          message);
      assertFalse(Files.exists(directory.resolve("member")));
    }
  }
}
