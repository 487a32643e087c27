package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchProgressRequest;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What consistent lists from a cache live on: while others write as fast as they can, requested
 * progress is answered again and again, and no answer is ahead of an event.
 */
@Timeout(60)
final class WatchProgressUnderLoadTest {
  private static final int WRITERS = 8;
  private static final int WARM_EVENTS = 500;
  private static final int ROUNDS_MAX = 5;
  private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  @Test
  void requestedProgressIsAnsweredUnderFullLoad(@TempDir Path data) throws Exception {
    try (LoneMember lone = LoneMember.start(data)) {
      Reader reader = new Reader();
      WatchGrpc.newStub(lone.channel).watch(reader);
      reader.create();
      reader.created.await();
      Writers writers = new Writers(lone);
      writers.start();
      reader.warm.await();
      // A round in which the machine did something else says nothing about the server; one that is
      // silent because of the load would be so in each.
      long silence = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS_MAX && silence > ANSWER_NANOS; round++) {
        silence = Math.min(silence, silence(reader));
      }
      writers.stop();
      assertEquals("", reader.fault());
      assertTrue(silence <= ANSWER_NANOS, silence / 1_000_000 + " ms without an answer");
      reader.cancel();
    }
  }

  /** Asks each 5 ms for a while; returns the longest time without an answer. */
  private static long silence(Reader reader) {
    long begun = System.nanoTime();
    reader.begin(begun);
    for (long due = begun; due - begun < ROUND_NANOS; due += ASK_NANOS) {
      for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
      reader.ask();
    }
    return reader.end(System.nanoTime());
  }

  /** Closed loops, each with one put under way. */
  private static final class Writers {
    private final KVGrpc.KVStub kv;
    private final CountDownLatch done = new CountDownLatch(WRITERS);
    private volatile boolean stopped;

    Writers(LoneMember lone) {
      this.kv = KVGrpc.newStub(lone.channel);
    }

    void start() {
      for (int i = 0; i < WRITERS; i++) {
        put(i);
      }
    }

    void stop() throws InterruptedException {
      stopped = true;
      done.await();
    }

    private void put(int writer) {
      if (stopped) {
        done.countDown();
        return;
      }
      PutRequest request =
          PutRequest.newBuilder()
              .setKey(ByteString.copyFromUtf8("load/" + writer))
              .setValue(ByteString.copyFromUtf8("v"))
              .build();
      kv.put(
          request,
          new StreamObserver<>() {
            @Override
            public void onNext(PutResponse response) {}

            @Override
            public void onError(Throwable failure) {
              done.countDown();
            }

            @Override
            public void onCompleted() {
              put(writer);
            }
          });
    }
  }

  /** Checks what comes; each revision has one event, so that a gap shows. */
  private static final class Reader implements ClientResponseObserver<WatchRequest, WatchResponse> {
    final CountDownLatch created = new CountDownLatch(1);
    final CountDownLatch warm = new CountDownLatch(WARM_EVENTS);
    private @Nullable ClientCallStreamObserver<WatchRequest> requests;
    private long lastEvent;
    private long lastAnswer;
    private long longestSilence;
    private String fault = "";

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
      requests = stream;
    }

    private ClientCallStreamObserver<WatchRequest> requests() {
      return Objects.requireNonNull(requests);
    }

    void create() {
      requests()
          .onNext(
              WatchRequest.newBuilder()
                  .setCreateRequest(
                      WatchCreateRequest.newBuilder()
                          .setKey(ByteString.copyFromUtf8("load/"))
                          .setRangeEnd(ByteString.copyFromUtf8("load0")))
                  .build());
    }

    void ask() {
      requests()
          .onNext(
              WatchRequest.newBuilder()
                  .setProgressRequest(WatchProgressRequest.getDefaultInstance())
                  .build());
    }

    void cancel() {
      requests().cancel("done", null);
    }

    synchronized void begin(long now) {
      lastAnswer = now;
      longestSilence = 0;
    }

    synchronized long end(long now) {
      return Math.max(longestSilence, now - lastAnswer);
    }

    synchronized String fault() {
      return fault;
    }

    @Override
    public synchronized void onNext(WatchResponse response) {
      long revision = response.getHeader().getRevision();
      if (response.getCreated()) {
        lastEvent = revision;
        created.countDown();
        return;
      }
      for (Event event : response.getEventsList()) {
        long next = event.getKv().getModRevision();
        if (next != lastEvent + 1) {
          fail(next + " after " + lastEvent);
        }
        lastEvent = next;
        warm.countDown();
      }
      if (response.getEventsCount() > 0) {
        return;
      }
      if (response.getWatchId() != -1 || revision != lastEvent) {
        fail("progress " + revision + " of " + response.getWatchId() + " after " + lastEvent);
      }
      long now = System.nanoTime();
      longestSilence = Math.max(longestSilence, now - lastAnswer);
      lastAnswer = now;
    }

    private void fail(String what) {
      fault = fault.isEmpty() ? what : fault;
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }
}
