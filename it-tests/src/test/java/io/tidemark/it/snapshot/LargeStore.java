package io.tidemark.it.snapshot;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.it.client.MemberClient;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Fills a store with many keys, some of them with long histories, of which a part is compacted.
 * Many calls are on their way at once, so only the amount is the same each time, and not the order.
 */
final class LargeStore {
  private static final int IN_FLIGHT = 256;
  private static final int LEASES = 100;

  private final KVGrpc.KVFutureStub kv;
  private final MemberClient client;
  private final int keys;
  private final Random random;
  private final Semaphore room = new Semaphore(IN_FLIGHT);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private LargeStore(MemberClient client, int keys, long seed) {
    this.client = client;
    this.kv = KVGrpc.newFutureStub(client.channel());
    this.keys = keys;
    this.random = new Random(seed);
  }

  /**
   * Writes {@code keys} keys and changes two of them for each, then compacts most of that and
   * changes half as many more.
   *
   * @return the compact revision
   */
  static long fill(MemberClient client, int keys, long seed) throws InterruptedException {
    LargeStore store = new LargeStore(client, keys, seed);
    for (int lease = 1; lease <= LEASES; lease++) {
      var unused =
          LeaseGrpc.newBlockingStub(client.channel())
              .leaseGrant(LeaseGrantRequest.newBuilder().setID(lease).setTTL(3_600).build());
    }
    for (int i = 0; i < keys; i++) {
      store.go(store.kv.put(store.put(i)));
    }
    store.change(2 * keys);
    store.awaitAll();
    long compacted = Contents.revision(client) - keys / 4;
    client.compact(compacted).answer();
    store.change(keys / 2);
    store.awaitAll();
    return compacted;
  }

  /** Half of the changes meet a hundredth of the keys. */
  private void change(int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      int key = random.nextInt(random.nextBoolean() ? keys : Math.max(1, keys / 100));
      switch (random.nextInt(10)) {
        case 0 -> go(kv.deleteRange(DeleteRangeRequest.newBuilder().setKey(key(key)).build()));
        case 1 -> go(kv.txn(txn(key)));
        default -> go(kv.put(put(key)));
      }
    }
  }

  private TxnRequest txn(int key) {
    TxnRequest.Builder txn = TxnRequest.newBuilder();
    for (int i = 0; i < 3; i++) {
      txn.addSuccess(RequestOp.newBuilder().setRequestPut(put((key + i) % keys)));
    }
    return txn.build();
  }

  private PutRequest put(int key) {
    byte[] value = new byte[20 + random.nextInt(200)];
    random.nextBytes(value);
    return PutRequest.newBuilder()
        .setKey(key(key))
        .setValue(ByteString.copyFrom(value))
        .setLease(random.nextInt(8) == 0 ? 1 + random.nextInt(LEASES) : 0)
        .build();
  }

  private static ByteString key(int number) {
    return ByteString.copyFromUtf8("registry/of/things/%08d".formatted(number));
  }

  private void go(ListenableFuture<?> call) throws InterruptedException {
    Futures.addCallback(
        call,
        new FutureCallback<Object>() {
          @Override
          public void onSuccess(@Nullable Object answer) {
            room.release();
          }

          @Override
          public void onFailure(Throwable cause) {
            failure.compareAndSet(null, cause);
            room.release();
          }
        },
        MoreExecutors.directExecutor());
    take(1);
  }

  private void awaitAll() throws InterruptedException {
    take(IN_FLIGHT);
    room.release(IN_FLIGHT);
  }

  private void take(int places) throws InterruptedException {
    if (!room.tryAcquire(places, MemberClient.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("a write got no answer");
    }
    Throwable failed = failure.get();
    if (failed != null) {
      throw new AssertionError("a write failed", failed);
    }
  }
}
