package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.metrics.PeerTraffic;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.RaftLimits;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.member.MemberChange;
import io.tidemark.statemachine.read.MemberTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a cluster becomes a cluster of one, and everything in it goes on. */
@Timeout(120)
final class ForcedNewClusterTest {
  private static final Duration READY = Duration.ofSeconds(30);

  @TempDir Path directory;

  /** The store of a member that was aborted is behind its log. */
  @Test
  void theSurvivorGoesOnAloneWithAllThatItsLogHolds() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      long revision = 0;
      for (int n = 0; n < 50; n++) {
        revision = cluster.putNow(n % 3, "k" + n % 7, "v" + n);
      }
      cluster.awaitRevision(0, revision);
      String last = cluster.local(0, "k0");
      int leader = cluster.awaitLeader(-1);
      for (int i = 0; i < 3; i++) {
        cluster.abort(i);
      }

      RaftMember alone = cluster.force(0);
      assertTrue(alone.awaitReady(READY));
      assertEquals(revision, alone.revision());
      assertEquals(last, cluster.read(0, "k0"));
      long self = cluster.founders().get(0).id();
      assertEquals(List.of(self), ids(alone));
      assertEquals(++revision, cluster.putNow(0, "k0", "alone"));

      // One of the others comes back: it isn't listened to, and goes when it has asked.
      int other = leader == 1 ? 1 : 2;
      cluster.start(other);
      long gone = cluster.founders().get(other).id();
      TestCluster.await("the farewell of a removed one", () -> cluster.removed.contains(gone));
      cluster.stop(other);
      assertEquals(++revision, cluster.putNow(0, "k0", "still alone"));

      // Its flags may stay as they were.
      cluster.stop(0);
      cluster.start(0);
      assertEquals("still alone", cluster.read(0, "k0"));
      assertEquals(List.of(self), ids(cluster.member(0)));
      growsByOne(cluster, revision);
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  /** They agree among themselves, in a higher term, and know nothing of the new cluster. */
  @Test
  void theOthersCannotTakeTheSurvivorInAgain() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      long revision = cluster.putNow(0, "k", "before");
      for (int i = 0; i < 3; i++) {
        cluster.awaitRevision(i, revision);
      }
      for (int i = 0; i < 3; i++) {
        cluster.abort(i);
      }
      assertTrue(cluster.force(0).awaitReady(READY));
      assertEquals(revision + 1, cluster.putNow(0, "k", "alone"));
      long term = cluster.member(0).status().term();

      cluster.start(1);
      cluster.start(2);
      while (cluster.member(cluster.awaitLeader(0)).status().term() <= term) {
        int leader = cluster.awaitLeader(0);
        cluster.stop(leader);
        cluster.start(leader);
      }
      int leader = cluster.awaitLeader(0);
      assertEquals(revision + 1, cluster.putNow(leader, "k", "among themselves"));
      // More than votes: those Ratis itself refuses.
      String sender = Long.toHexString(cluster.founders().get(leader).id());
      PeerTraffic.Peer traffic = cluster.member(0).traffic().peer(sender);
      long before = traffic.receivedBytes();
      TestCluster.await(
          "what the others' leader sends", () -> traffic.receivedBytes() - before > 1_000);

      assertEquals(revision + 2, cluster.putNow(0, "k", "still alone"));
      assertEquals("still alone", cluster.read(0, "k"));
      assertEquals(term, cluster.member(0).status().term());
      assertEquals(List.of(cluster.founders().get(0).id()), ids(cluster.member(0)));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  /** Who joins has no log to begin with, and neither shares its founders. */
  private static void growsByOne(TestCluster cluster, long revision) throws Exception {
    PeerMember fresh = cluster.newcomer(0xB0);
    MemberChange add =
        new MemberChange.Add(
            Member.newBuilder()
                .setID(fresh.id())
                .addPeerURLs(fresh.peerUrls().get(0).toString())
                .build(),
            true,
            1);
    RaftMember first = cluster.member(0);
    assertEquals(Optional.empty(), first.permit(add).get(20, TimeUnit.SECONDS));
    var unused = first.propose(new Command.ChangeMembers(add)).get(20, TimeUnit.SECONDS);
    RaftMember second = cluster.join(fresh, cluster.founders().subList(0, 1));
    assertTrue(second.awaitReady(READY));
    assertEquals(revision + 1, cluster.putNow(3, "k0", "two"));
    cluster.awaitRevision(0, revision + 1);
    assertEquals(cluster.digest(0), cluster.digest(3));
  }

  /** Cut short after any step, it is simply done again. */
  @Test
  void itMayBeDoneAgain() throws Exception {
    RaftLimits small = SnapshotTest.SMALL;
    try (TestCluster cluster = new TestCluster(directory, 3, 1 << 20, small).startAll()) {
      ByteString value = ByteString.copyFrom(new byte[4 << 10]);
      long revision = 0;
      for (int n = 0; n < 60; n++) {
        revision =
            TestCluster.revision(cluster.put(0, "k" + n % 9, value).get(20, TimeUnit.SECONDS));
      }
      cluster.awaitRevision(1, revision);
      for (int i = 0; i < 3; i++) {
        cluster.abort(i);
      }
      RaftMemberSettings flags = cluster.founderSettings(1);
      assertTrue(ForcedNewCluster.settle(flags).isPresent());
      assertTrue(cluster.force(1).awaitReady(READY));
      assertEquals(++revision, cluster.putNow(1, "k", "1"));
      cluster.abort(1);
      assertTrue(cluster.force(1).awaitReady(READY));
      assertEquals("1", cluster.read(1, "k"));
      assertEquals(++revision, cluster.putNow(1, "k", "2"));
      try (ReadView view = cluster.member(1).view()) {
        assertEquals(List.of(), MemberTable.founders(view));
        assertTrue(MemberTable.removed(view, cluster.founders().get(0).id()));
        assertTrue(MemberTable.removed(view, cluster.founders().get(2).id()));
      }
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  @Test
  void nothingComesOfAnEmptyDirectory() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1)) {
      assertEquals(Optional.empty(), ForcedNewCluster.settle(cluster.founderSettings(0)));
    }
  }

  @Test
  void notWhileTheMemberRuns() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      RaftMemberSettings flags = cluster.founderSettings(0);
      assertThrows(IOException.class, () -> ForcedNewCluster.settle(flags));
      cluster.putNow(0, "k", "undisturbed");
      assertEquals("undisturbed", cluster.read(0, "k"));
    }
  }

  private static List<Long> ids(RaftMember member) {
    return new ArrayList<>(TestCluster.table(member).stream().map(Member::getID).toList());
  }
}
