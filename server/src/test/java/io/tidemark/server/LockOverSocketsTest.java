package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.api.v3electionpb.CampaignRequest;
import io.tidemark.api.v3electionpb.CampaignResponse;
import io.tidemark.api.v3electionpb.ElectionGrpc;
import io.tidemark.api.v3electionpb.LeaderKey;
import io.tidemark.api.v3electionpb.LeaderRequest;
import io.tidemark.api.v3electionpb.LeaderResponse;
import io.tidemark.api.v3electionpb.ProclaimRequest;
import io.tidemark.api.v3electionpb.ResignRequest;
import io.tidemark.api.v3lockpb.LockGrpc;
import io.tidemark.api.v3lockpb.LockRequest;
import io.tidemark.api.v3lockpb.LockResponse;
import io.tidemark.api.v3lockpb.UnlockRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Locks and elections: keys, order, headers and errors as the contract has them. */
@Timeout(60)
class LockOverSocketsTest {
  private static LoneMember lone;
  private static LeaseGrpc.LeaseBlockingStub leases;
  private static KVGrpc.KVBlockingStub kv;
  private static LockGrpc.LockFutureStub locks;
  private static ElectionGrpc.ElectionFutureStub elections;
  private static ElectionGrpc.ElectionBlockingStub election;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    lone = LoneMember.start(data);
    leases = LeaseGrpc.newBlockingStub(lone.channel);
    kv = KVGrpc.newBlockingStub(lone.channel);
    locks = LockGrpc.newFutureStub(lone.channel);
    elections = ElectionGrpc.newFutureStub(lone.channel);
    election = ElectionGrpc.newBlockingStub(lone.channel);
  }

  @AfterAll
  static void stop() {
    lone.close();
  }

  private static ByteString utf8(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static long grant(long id) {
    return leases.leaseGrant(LeaseGrantRequest.newBuilder().setTTL(600).setID(id).build()).getID();
  }

  private static void revoke(long id) {
    var unused = leases.leaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build());
  }

  private static ListenableFuture<LockResponse> lock(String name, long lease) {
    return locks.lock(LockRequest.newBuilder().setName(utf8(name)).setLease(lease).build());
  }

  private static long unlock(ByteString key) throws Exception {
    return locks
        .unlock(UnlockRequest.newBuilder().setKey(key).build())
        .get(10, TimeUnit.SECONDS)
        .getHeader()
        .getRevision();
  }

  private static ListenableFuture<CampaignResponse> campaign(
      String name, long lease, String value) {
    return elections.campaign(
        CampaignRequest.newBuilder()
            .setName(utf8(name))
            .setLease(lease)
            .setValue(utf8(value))
            .build());
  }

  private static List<String> keys(String prefix) {
    RangeRequest range =
        RangeRequest.newBuilder()
            .setKey(utf8(prefix + "/"))
            .setRangeEnd(utf8(prefix + "0"))
            .setSortTarget(RangeRequest.SortTarget.CREATE)
            .setSortOrder(RangeRequest.SortOrder.ASCEND)
            .build();
    return kv.range(range).getKvsList().stream()
        .map(KeyValue::getKey)
        .map(ByteString::toStringUtf8)
        .toList();
  }

  private static void awaitKeys(String prefix, List<String> wanted) {
    while (!keys(prefix).equals(wanted)) {
      Thread.onSpinWait();
    }
  }

  private static void assertUnknown(String text, Future<?> call) {
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> call.get(10, TimeUnit.SECONDS));
    assertUnknown(text, Status.fromThrowable(e));
  }

  private static void assertUnknown(String text, Executable call) {
    assertUnknown(text, assertThrows(StatusRuntimeException.class, call).getStatus());
  }

  private static void assertUnknown(String text, Status status) {
    assertEquals(Status.Code.UNKNOWN, status.getCode(), status::toString);
    assertEquals(text, status.getDescription());
  }

  @Test
  void theKeyIsNameAndLeaseAndTheHeaderThatOfThePut() throws Exception {
    long before = lone.member.raft().revision();
    grant(0xabc);
    LockResponse mine = lock("plain", 0xabc).get(10, TimeUnit.SECONDS);
    assertEquals("plain/abc", mine.getKey().toStringUtf8());
    assertEquals(before + 1, mine.getHeader().getRevision());
    LockResponse again = lock("plain", 0xabc).get(10, TimeUnit.SECONDS);
    assertEquals(mine.getKey(), again.getKey());
    assertEquals(before + 1, again.getHeader().getRevision());
    assertEquals(before + 2, unlock(mine.getKey()));
    assertEquals(before + 2, unlock(mine.getKey()), "a missing key is as good as deleted");
    grant(-0x10);
    assertEquals(
        "plain/-10", lock("plain", -0x10).get(10, TimeUnit.SECONDS).getKey().toStringUtf8());
    revoke(-0x10);
  }

  @Test
  void withoutALeaseThereIsOneForAMinute() throws Exception {
    LockResponse mine = lock("anonymous", 0).get(10, TimeUnit.SECONDS);
    RangeRequest get = RangeRequest.newBuilder().setKey(mine.getKey()).build();
    long lease = kv.range(get).getKvs(0).getLease();
    assertEquals("anonymous/" + Long.toHexString(lease), mine.getKey().toStringUtf8());
    revoke(lease);
  }

  @Test
  void waitersGetTheLockInTheirOrder() throws Exception {
    List<Future<LockResponse>> waiting = new ArrayList<>();
    List<String> order = new ArrayList<>();
    for (long lease = 0x901; lease <= 0x905; lease++) {
      grant(lease);
      waiting.add(lock("queue", lease));
      order.add("queue/" + Long.toHexString(lease));
      awaitKeys("queue", order);
    }
    for (int turn = 0; turn < 5; turn++) {
      LockResponse owner = waiting.get(turn).get(10, TimeUnit.SECONDS);
      assertEquals(order.get(turn), owner.getKey().toStringUtf8());
      for (int later = turn + 1; later < 5; later++) {
        assertFalse(waiting.get(later).isDone());
      }
      unlock(owner.getKey());
    }
  }

  @Test
  void whoGoesAwayLeavesTheQueueAndWakesNobody() throws Exception {
    grant(0xa1);
    grant(0xa2);
    grant(0xa3);
    LockResponse owner = lock("leave", 0xa1).get(10, TimeUnit.SECONDS);
    Future<LockResponse> second = lock("leave", 0xa2);
    awaitKeys("leave", List.of("leave/a1", "leave/a2"));
    Future<LockResponse> third = lock("leave", 0xa3);
    awaitKeys("leave", List.of("leave/a1", "leave/a2", "leave/a3"));
    second.cancel(true);
    awaitKeys("leave", List.of("leave/a1", "leave/a3"));
    assertFalse(third.isDone());
    unlock(owner.getKey());
    assertEquals("leave/a3", third.get(10, TimeUnit.SECONDS).getKey().toStringUtf8());
  }

  @Test
  void aLockIsLostWithItsLease() throws Exception {
    grant(0xb1);
    grant(0xb2);
    grant(0xb3);
    lock("lost", 0xb1).get(10, TimeUnit.SECONDS);
    Future<LockResponse> second = lock("lost", 0xb2);
    awaitKeys("lost", List.of("lost/b1", "lost/b2"));
    Future<LockResponse> third = lock("lost", 0xb3);
    awaitKeys("lost", List.of("lost/b1", "lost/b2", "lost/b3"));
    revoke(0xb2);
    revoke(0xb1);
    assertEquals("lost/b3", third.get(10, TimeUnit.SECONDS).getKey().toStringUtf8());
    assertUnknown("mutex: session is expired", second);
    assertUnknown("etcdserver: requested lease not found", lock("lost", 0xb1));
  }

  @Test
  void anElectionGoesFromOneToTheNext() throws Exception {
    assertUnknown("election: no leader", () -> leader("vote"));
    long before = lone.member.raft().revision();
    grant(0xc1);
    grant(0xc2);
    CampaignResponse first = campaign("vote", 0xc1, "one").get(10, TimeUnit.SECONDS);
    assertEquals(
        LeaderKey.newBuilder()
            .setName(utf8("vote"))
            .setKey(utf8("vote/c1"))
            .setRev(before + 1)
            .setLease(0xc1)
            .build(),
        first.getLeader());
    assertEquals(before + 1, first.getHeader().getRevision());
    Future<CampaignResponse> second = campaign("vote", 0xc2, "two");
    awaitKeys("vote", List.of("vote/c1", "vote/c2"));
    assertEquals("one", leader("vote").getKv().getValue().toStringUtf8());
    proclaim(first.getLeader(), "uno");
    assertEquals("uno", leader("vote").getKv().getValue().toStringUtf8());
    assertEquals(before + 3, leader("vote").getHeader().getRevision());
    resign(first.getLeader());
    CampaignResponse elected = second.get(10, TimeUnit.SECONDS);
    assertEquals(before + 2, elected.getHeader().getRevision());
    assertEquals(before + 2, elected.getLeader().getRev());
    assertUnknown("election: not leader", () -> proclaim(first.getLeader(), "late"));
    resign(first.getLeader());
    assertEquals("two", leader("vote").getKv().getValue().toStringUtf8());
    CampaignResponse again = campaign("vote", 0xc2, "due").get(10, TimeUnit.SECONDS);
    assertEquals(elected.getLeader(), again.getLeader());
    assertEquals("due", leader("vote").getKv().getValue().toStringUtf8());
    resign(again.getLeader());
    assertUnknown(
        "\"leader\" field must be provided",
        () -> election.proclaim(ProclaimRequest.getDefaultInstance()));
    assertUnknown(
        "\"leader\" field must be provided",
        () -> election.resign(ResignRequest.getDefaultInstance()));
  }

  @Test
  void anObserverSeesEveryLeaderAndEveryValue() throws Exception {
    Iterator<LeaderResponse> seen =
        election.observe(LeaderRequest.newBuilder().setName(utf8("seen")).build());
    grant(0xd1);
    grant(0xd2);
    CampaignResponse first = campaign("seen", 0xd1, "one").get(10, TimeUnit.SECONDS);
    assertSeen("one", first.getHeader().getRevision(), seen.next());
    Future<CampaignResponse> second = campaign("seen", 0xd2, "two");
    awaitKeys("seen", List.of("seen/d1", "seen/d2"));
    proclaim(first.getLeader(), "uno");
    assertSeen("uno", first.getHeader().getRevision() + 2, seen.next());
    resign(first.getLeader());
    assertSeen("two", first.getHeader().getRevision() + 3, seen.next());
    CampaignResponse elected = second.get(10, TimeUnit.SECONDS);
    resign(elected.getLeader());
    campaign("seen", 0xd1, "three").get(10, TimeUnit.SECONDS);
    assertSeen("three", first.getHeader().getRevision() + 5, seen.next());
    revoke(0xd1);
    revoke(0xd2);
  }

  @Test
  void whoGivesUpACampaignIsNoCandidate() {
    grant(0xe1);
    grant(0xe2);
    var unused = campaign("giveup", 0xe1, "one");
    awaitKeys("giveup", List.of("giveup/e1"));
    Future<CampaignResponse> second = campaign("giveup", 0xe2, "two");
    awaitKeys("giveup", List.of("giveup/e1", "giveup/e2"));
    second.cancel(true);
    awaitKeys("giveup", List.of("giveup/e1"));
    assertTrue(
        kv.deleteRange(DeleteRangeRequest.newBuilder().setKey(utf8("giveup/e1")).build())
                .getDeleted()
            == 1);
  }

  private static void assertSeen(String value, long revision, LeaderResponse seen) {
    assertEquals(value, seen.getKv().getValue().toStringUtf8());
    assertEquals(revision, seen.getHeader().getRevision());
  }

  private static LeaderResponse leader(String name) {
    return election.leader(LeaderRequest.newBuilder().setName(utf8(name)).build());
  }

  private static void proclaim(LeaderKey key, String value) {
    var unused =
        election.proclaim(
            ProclaimRequest.newBuilder().setLeader(key).setValue(utf8(value)).build());
  }

  private static void resign(LeaderKey key) {
    var unused = election.resign(ResignRequest.newBuilder().setLeader(key).build());
  }
}
