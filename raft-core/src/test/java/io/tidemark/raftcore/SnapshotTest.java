package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.StoreDigest;
import io.tidemark.raftcore.settings.RaftLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints, purged logs, shipped snapshots, restarts. */
class SnapshotTest {
  private static final RaftLimits SMALL =
      new RaftLimits(16 << 10, 4 << 10, 1, 64 << 10, 0, 1 << 20, 8, 8 << 20, 64 << 20);

  @TempDir Path directory;

  @Test
  void aFollowerThatMissedTooMuchGetsASnapshot() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3, 1 << 20, SMALL).startAll()) {
      int leader = cluster.awaitLeader(-1);
      int follower = (leader + 1) % 3;
      cluster.putNow(leader, "early", "e");
      cluster.stop(follower);
      ByteString value = ByteString.copyFrom(new byte[4 << 10]);
      long last = 0;
      for (int n = 0; n < 120; n++) {
        last =
            TestCluster.revision(
                cluster.put(leader, "k" + n % 10, value).get(20, TimeUnit.SECONDS));
      }
      long revision = last;
      cluster.start(follower);
      cluster.awaitRevision(follower, revision);
      assertEquals("store-2", liveStore(cluster, follower), "the store was swapped");
      assertEquals("e", cluster.read(follower, "early"));
      assertEquals(revision + 1, cluster.putNow(follower, "after", "a"));
      cluster.awaitRevision(leader, revision + 1);
      assertEquals(digest(cluster, leader), digest(cluster, follower));

      cluster.stop(follower);
      cluster.start(follower);
      cluster.awaitRevision(follower, revision + 1);
      assertEquals("a", cluster.read(follower, "after"));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  @Test
  void aWholeClusterRestartsWhereItStopped() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3, 1 << 20, SMALL).startAll()) {
      ByteString value = ByteString.copyFrom(new byte[4 << 10]);
      for (int n = 0; n < 40; n++) {
        TestCluster.revision(cluster.put(0, "k" + n, value).get(20, TimeUnit.SECONDS));
      }
      long applied = cluster.member(0).status().appliedIndex();
      for (int i = 0; i < 3; i++) {
        cluster.stop(i);
      }
      cluster.startAll();
      assertEquals(42, cluster.putNow(1, "again", "x"));
      assertTrue(cluster.member(0).status().appliedIndex() >= applied);
      assertEquals("x", cluster.read(2, "again"));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  private static StoreDigest digest(TestCluster cluster, int i) {
    try (ReadView view = cluster.member(i).view()) {
      StoreDigest digest = view.digest(0);
      return new StoreDigest(digest.revision(), digest.compactRevision(), 0, digest.hash());
    }
  }

  private String liveStore(TestCluster cluster, int i) throws IOException {
    try (Stream<Path> found = Files.walk(cluster.directoryOf(i).resolve("member/kv"), 1)) {
      Path current =
          found.filter(p -> p.getFileName().toString().equals("CURRENT")).findFirst().orElseThrow();
      return Files.readString(current).trim();
    }
  }
}
