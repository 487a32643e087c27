package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantResponse;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveResponse;
import io.tidemark.api.etcdserverpb.LeaseLeasesRequest;
import io.tidemark.api.etcdserverpb.LeaseLeasesResponse;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.LeaseStatus;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveRequest;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseOverSocketsTest {
  private static LoneMember lone;
  private static LeaseGrpc.LeaseBlockingStub leases;
  private static KVGrpc.KVBlockingStub kv;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    lone = LoneMember.start(data);
    leases = LeaseGrpc.newBlockingStub(lone.channel);
    kv = KVGrpc.newBlockingStub(lone.channel);
  }

  @AfterAll
  static void stop() {
    lone.close();
  }

  private LeaseGrantResponse grant(long id, long ttl) {
    return leases.leaseGrant(LeaseGrantRequest.newBuilder().setID(id).setTTL(ttl).build());
  }

  private long revoke(long id) {
    return leases
        .leaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build())
        .getHeader()
        .getRevision();
  }

  private LeaseTimeToLiveResponse left(long id, boolean keys) {
    return leases.leaseTimeToLive(
        LeaseTimeToLiveRequest.newBuilder().setID(id).setKeys(keys).build());
  }

  private long putLeased(String key, long lease) {
    return kv.put(
            PutRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)).setLease(lease).build())
        .getHeader()
        .getRevision();
  }

  private static void assertFails(EtcdError error, StatusRuntimeException e) {
    assertEquals(error.code(), e.getStatus().getCode().value());
    assertEquals(error.message(), e.getStatus().getDescription());
  }

  @Test
  void grantsIdsAndRaisesTtls() {
    LeaseGrantResponse chosen = grant(0, 60);
    assertTrue(chosen.getID() > 0);
    assertEquals(60, chosen.getTTL());
    assertEquals("", chosen.getError());
    assertEquals(lone.member.raft().revision(), chosen.getHeader().getRevision());
    assertTrue(chosen.getHeader().getRaftTerm() > 0);
    LeaseGrantResponse own = grant(-42, -7);
    assertEquals(-42, own.getID());
    assertEquals(2, own.getTTL());
    assertFails(
        EtcdError.LEASE_EXIST,
        assertThrows(StatusRuntimeException.class, () -> grant(chosen.getID(), 5)));
    assertFails(
        EtcdError.LEASE_TTL_TOO_LARGE,
        assertThrows(StatusRuntimeException.class, () -> grant(1, 9_000_000_001L)));
    revoke(chosen.getID());
  }

  @Test
  void tellsWhatIsLeftAndTheKeys() {
    long before = lone.member.raft().revision();
    grant(11, 100);
    putLeased("left/b", 11);
    putLeased("left/a", 11);
    LeaseTimeToLiveResponse left = left(11, true);
    assertEquals(11, left.getID());
    assertEquals(100, left.getGrantedTTL());
    assertTrue(left.getTTL() == 99 || left.getTTL() == 100, "left: " + left.getTTL());
    assertEquals(
        List.of("left/a", "left/b"),
        left.getKeysList().stream().map(ByteString::toStringUtf8).toList());
    assertEquals(before + 2, left.getHeader().getRevision());
    assertEquals(List.of(), left(11, false).getKeysList());
    assertEquals(before + 3, revoke(11));
    LeaseTimeToLiveResponse gone = left(11, true);
    assertEquals(-1, gone.getTTL());
    assertEquals(0, gone.getGrantedTTL());
    assertEquals(11, gone.getID());
    assertFails(
        EtcdError.LEASE_NOT_FOUND, assertThrows(StatusRuntimeException.class, () -> revoke(11)));
    assertFails(
        EtcdError.LEASE_NOT_FOUND,
        assertThrows(StatusRuntimeException.class, () -> putLeased("left/c", 11)));
  }

  @Test
  void listsLeasesByWhatIsLeft() {
    grant(300, 3000);
    grant(100, 1000);
    grant(200, 2000);
    LeaseLeasesResponse response = leases.leaseLeases(LeaseLeasesRequest.getDefaultInstance());
    List<Long> listed = response.getLeasesList().stream().map(LeaseStatus::getID).toList();
    List<Long> wanted = List.of(100L, 200L, 300L);
    assertEquals(wanted, listed.stream().filter(wanted::contains).toList());
    wanted.forEach(this::revoke);
  }

  @Test
  void aLeaseThatNobodyRenewsTakesItsKeysAlong() throws Exception {
    grant(21, 2);
    putLeased("short", 21);
    long begin = System.nanoTime();
    while (left(21, false).getTTL() >= 0) {
      Thread.onSpinWait();
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertTrue(millis >= 1900, "lived for " + millis + " ms");
    RangeRequest range = RangeRequest.newBuilder().setKey(ByteString.copyFromUtf8("short")).build();
    assertEquals(0, kv.range(range).getCount());
  }

  @Test
  void keepAlivesAreAnsweredInOrderAndHalfCloseEndsTheStream() throws Exception {
    grant(31, 60);
    grant(32, 70);
    KeepAlives stream = new KeepAlives();
    for (int n = 0; n < 500; n++) {
      stream.send(31);
      stream.send(32);
      stream.send(33);
    }
    stream.requests.onCompleted();
    assertEquals(Optional.empty(), stream.awaitEnd());
    List<LeaseKeepAliveResponse> answers = new ArrayList<>(stream.answers);
    assertEquals(1500, answers.size());
    for (int n = 0; n < 1500; n++) {
      long id = 31 + n % 3;
      assertEquals(id, answers.get(n).getID());
      assertEquals(id == 31 ? 60 : id == 32 ? 70 : 0, answers.get(n).getTTL());
      assertTrue(answers.get(n).getHeader().getRevision() > 0);
    }
    revoke(31);
    revoke(32);
  }

  @Test
  void aKeepAliveAddsTheWholeTtlAgain() throws Exception {
    grant(41, 3);
    KeepAlives stream = new KeepAlives();
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(4500)) {
      stream.send(41);
      LeaseKeepAliveResponse answer = stream.answers.poll(10, TimeUnit.SECONDS);
      assertEquals(3, answer == null ? -1 : answer.getTTL());
      assertNull(stream.answers.poll(700, TimeUnit.MILLISECONDS));
    }
    assertTrue(left(41, false).getTTL() >= 0);
    revoke(41);
    stream.send(41);
    LeaseKeepAliveResponse answer = stream.answers.poll(10, TimeUnit.SECONDS);
    assertEquals(0, answer == null ? -1 : answer.getTTL());
    stream.requests.onCompleted();
  }

  private static final class KeepAlives implements StreamObserver<LeaseKeepAliveResponse> {
    final LinkedBlockingQueue<LeaseKeepAliveResponse> answers = new LinkedBlockingQueue<>();
    final StreamObserver<LeaseKeepAliveRequest> requests =
        LeaseGrpc.newStub(lone.channel).leaseKeepAlive(this);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    void send(long id) {
      requests.onNext(LeaseKeepAliveRequest.newBuilder().setID(id).build());
    }

    Optional<Throwable> awaitEnd() throws InterruptedException {
      assertTrue(ended.await(30, TimeUnit.SECONDS));
      return Optional.ofNullable(failure.get());
    }

    @Override
    public void onNext(LeaseKeepAliveResponse answer) {
      answers.add(answer);
    }

    @Override
    public void onError(Throwable cause) {
      failure.set(cause);
      ended.countDown();
    }

    @Override
    public void onCompleted() {
      ended.countDown();
    }
  }
}
