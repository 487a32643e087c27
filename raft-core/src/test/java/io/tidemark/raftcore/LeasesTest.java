package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.lease.KeepAliveResult;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.lease.LeaseReads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Renewals through every member, expiry by the leader, and what a new leader knows. */
class LeasesTest {
  @TempDir Path directory;

  private static void grant(TestCluster cluster, int i, long id, long ttl) throws Exception {
    ProposalResult result =
        cluster
            .member(i)
            .propose(
                new Command.LeaseGrant(
                    LeaseGrantRequest.newBuilder().setID(id).setTTL(ttl).build()))
            .get(20, TimeUnit.SECONDS);
    assertInstanceOf(ProposalResult.Applied.class, result);
  }

  private static void putLeased(TestCluster cluster, int i, String key, long lease)
      throws Exception {
    PutRequest put =
        PutRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)).setLease(lease).build();
    TestCluster.revision(cluster.member(i).propose(new Command.Put(put)).get(20, TimeUnit.SECONDS));
  }

  private static boolean lives(TestCluster cluster, int i, long id) {
    try (ReadView view = cluster.member(i).view()) {
      return LeaseReads.find(view, id) != null;
    }
  }

  @Test
  void everyMemberRenewsAndManyShareAnEntry() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      int leader = cluster.awaitLeader(-1);
      for (long id = 1; id <= 300; id++) {
        grant(cluster, (int) (id % 3), id, 60);
      }
      long before = cluster.member(leader).status().appliedIndex();
      List<CompletableFuture<KeepAliveResult>> renewals = new ArrayList<>();
      for (int round = 0; round < 10; round++) {
        for (long id = 1; id <= 301; id++) {
          renewals.add(cluster.member((int) (id % 3)).keepAlive(id));
        }
      }
      for (int n = 0; n < renewals.size(); n++) {
        long expected = n % 301 == 300 ? 0 : 60;
        assertEquals(
            new KeepAliveResult.Renewed(expected), renewals.get(n).get(20, TimeUnit.SECONDS));
      }
      long entries = cluster.member(leader).status().appliedIndex() - before;
      assertTrue(entries < 100, "3010 renewals took " + entries + " entries");
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  @Test
  void aLeaseEndsWithItsKeysOnEveryMemberAlsoAfterAnElection() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      int leader = cluster.awaitLeader(-1);
      grant(cluster, leader, 7, 3);
      putLeased(cluster, (leader + 1) % 3, "k", 7);
      long granted = System.nanoTime();
      cluster.stop(leader);
      int next = cluster.awaitLeader(leader);
      TestCluster.await("the lease to end", () -> !lives(cluster, next, 7));
      long livedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - granted);
      assertTrue(livedMillis >= 2_900, "it ended after " + livedMillis + " ms");
      for (RaftMember member : cluster.alive()) {
        cluster.awaitRevision(next, 3);
        TestCluster.await("the key to go", () -> member.revision() == 3);
      }
      assertEquals(
          new KeepAliveResult.Renewed(0),
          cluster.member(next).keepAlive(7).get(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void aRestartedMemberStillHasItsLeases() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      grant(cluster, 0, 7, 3600);
      TestCluster.await("a word of the clock", () -> clock(cluster) > 0);
      long clock = clock(cluster);
      cluster.stop(0);
      cluster.start(0);
      assertEquals(
          new KeepAliveResult.Renewed(3600),
          cluster.member(0).keepAlive(7).get(20, TimeUnit.SECONDS));
      assertTrue(cluster.member(0).leaseClock() >= clock);
    }
  }

  private static long clock(TestCluster cluster) {
    try (ReadView view = cluster.member(0).view()) {
      return LeaseReads.clock(view);
    }
  }

  @Test
  void withoutALeaderARenewalFails() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      grant(cluster, 0, 7, 3600);
      cluster.stop(1);
      cluster.stop(2);
      KeepAliveResult result = cluster.member(0).keepAlive(7).get(20, TimeUnit.SECONDS);
      KeepAliveResult.Failed failed = assertInstanceOf(KeepAliveResult.Failed.class, result);
      assertTrue(
          List.of(EtcdError.NO_LEADER, EtcdError.TIMEOUT).contains(failed.error()),
          failed.toString());
      assertTrue(lives(cluster, 0, 7));
    }
  }
}
