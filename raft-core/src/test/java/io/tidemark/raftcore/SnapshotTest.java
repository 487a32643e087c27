package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.authpb.UserAddOptions;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.RaftLimits;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.auth.AuthChange;
import io.tidemark.statemachine.auth.AuthState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints, purged logs, shipped snapshots, restarts. */
class SnapshotTest {
  static final RaftLimits SMALL =
      new RaftLimits(16 << 10, 4 << 10, 1, 64 << 10, 0, 1 << 20, 8, 8 << 20, 64 << 20);

  /** Appended while a checkpoint is made, and a segment. */
  private static final long SLACK = 1 << 20;

  /**
   * Puts of a kilobyte between two checkpoints: more than makes one due. The log holds four times
   * that at most: from before the checkpoint before the last one until it is purged.
   */
  private static final int AHEAD = 280;

  private static final long STEADY_PUTS = 5_000;

  @TempDir Path directory;

  private static final Command ANN =
      new Command.Auth(
          new AuthChange.UserAdd(
              AuthUserAddRequest.newBuilder()
                  .setName("ann")
                  .setOptions(UserAddOptions.newBuilder().setNoPassword(true))
                  .build()));

  @Test
  void aFollowerThatMissedTooMuchGetsASnapshot() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3, 1 << 20, SMALL).startAll()) {
      int leader = cluster.awaitLeader(-1);
      int follower = (leader + 1) % 3;
      cluster.putNow(leader, "early", "e");
      cluster.stop(follower);
      var added = cluster.member(leader).propose(ANN).get(20, TimeUnit.SECONDS);
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
      AuthState users = cluster.member(follower).authority().state();
      assertEquals(List.of("ann"), users.userNames(), "users come with the snapshot");
      assertEquals(2, users.revision());
      assertEquals(revision + 1, cluster.putNow(follower, "after", "a"));
      cluster.awaitRevision(leader, revision + 1);
      assertEquals(cluster.digest(leader), cluster.digest(follower));

      cluster.stop(follower);
      cluster.start(follower);
      cluster.awaitRevision(follower, revision + 1);
      assertEquals("a", cluster.read(follower, "after"));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  /** Else it would apply the whole past by itself, and may never catch up with a busy leader. */
  @Test
  void whoJoinsALongLogGetsACheckpointOfThatMoment() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      long last = 0;
      while (cluster.member(0).status().appliedIndex() < 2_100) {
        last = cluster.putNow(0, "k" + last % 10, "v");
      }
      assertEquals(0, cluster.count(0, "tidemark_snapshot_checkpoints"), "far too few bytes");
      PeerMember newcomer = cluster.newcomer(0xB0);
      MembershipTest.change(cluster.member(0), MembershipTest.add(newcomer, false));
      TestCluster.await(
          "a checkpoint", () -> cluster.count(0, "tidemark_snapshot_checkpoints") == 1);
      RaftMember joined = cluster.join(newcomer, cluster.founders());
      assertTrue(joined.awaitReady(Duration.ofSeconds(30)));
      assertEquals("store-2", liveStore(cluster, 1), "the store came as files");
      assertEquals("v", cluster.read(1, "k1"));
      assertEquals(last + 1, cluster.putNow(1, "after", "a"));
      cluster.awaitRevision(0, last + 1);
      assertEquals(cluster.digest(0), cluster.digest(1));
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

  /** Neither a member that is gone for good nor writes that never pause keep old log on disk. */
  @Test
  void theLogStaysBounded() throws Exception {
    RaftLimits limits =
        new RaftLimits(64 << 10, 4 << 10, 1, 256 << 10, 0, 64 << 10, 8, 8 << 20, 64 << 20);
    try (TestCluster cluster = new TestCluster(directory, 3, 1 << 20, limits).startAll()) {
      int leader = cluster.awaitLeader(-1);
      int gone = (leader + 1) % 3;
      int follower = (leader + 2) % 3;
      cluster.stop(gone);
      long bound = 2 * limits.snapshotBytes() + SLACK;
      long largest = 0;
      List<Integer> alive = List.of(leader, follower);
      try (SteadyWrites writes = SteadyWrites.start(cluster, alive, 64, 1 << 10, AHEAD)) {
        while (writes.applied() < STEADY_PUTS) {
          for (int member : alive) {
            largest = Math.max(largest, cluster.gauge(member, "tidemark_raft_log_bytes"));
            assertTrue(snapshotsOf(cluster, member) <= 3, "two, and one that is coming or going");
          }
          LockSupport.parkNanos(20_000_000);
        }
        writes.stop();
      }
      long most = largest;
      long least = STEADY_PUTS * 1024 / limits.snapshotBytes() / 4;
      for (int member : alive) {
        assertEquals(0, cluster.count(member, "tidemark_snapshot_checkpoint_failures"));
        assertTrue(cluster.count(member, "tidemark_snapshot_checkpoints") >= least);
        TestCluster.await("two snapshots", () -> snapshotsOf(cluster, member) == 2);
      }
      assertTrue(most <= bound, () -> most + " bytes of log, allowed are " + bound);
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  /** What was flushed by an orderly stop isn't applied again, and restarts alone drop old log. */
  @Test
  void restartsReplayNothingAndKeepTheLogBounded() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1, 1 << 20, SMALL).startAll()) {
      ByteString value = ByteString.copyFrom(new byte[4 << 10]);
      for (int round = 0; round < 9; round++) {
        for (int n = 0; n < 8; n++) {
          TestCluster.revision(cluster.put(0, "k" + n, value).get(20, TimeUnit.SECONDS));
        }
        long applied = cluster.member(0).status().appliedIndex();
        cluster.stop(0);
        cluster.startAll();
        assertEquals(applied, cluster.gauge(0, "tidemark_snapshot_index"));
        assertEquals(0, cluster.gauge(0, "tidemark_raft_replayed_entries"));
        TestCluster.await(
            "a log of no more than two intervals",
            () -> cluster.gauge(0, "tidemark_raft_log_bytes") <= 2 * SMALL.snapshotBytes());
      }
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  private static int snapshotsOf(TestCluster cluster, int member) {
    try (Stream<Path> tree = Files.walk(cluster.directoryOf(member).resolve("member/raft"), 3)) {
      return (int) tree.filter(p -> p.getFileName().toString().startsWith("cp-")).count();
    } catch (IOException | UncheckedIOException pruned) {
      return 0;
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
