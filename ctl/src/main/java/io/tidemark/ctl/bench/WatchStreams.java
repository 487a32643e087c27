package io.tidemark.ctl.bench;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Streams that each watch the whole prefix of a key space and tally every event by its stamp.
 *
 * <p>Thread: opened and awaited by the thread that runs the load; answers arrive on event loops.
 */
final class WatchStreams {
  private static final int ANSWERS_UNLIMITED = Integer.MAX_VALUE;

  private final Tally tally;
  private final CountDownLatch created;
  private final CountDownLatch complete = new CountDownLatch(1);
  private final AtomicLong delivered = new AtomicLong();
  private volatile long expected = Long.MAX_VALUE;

  WatchStreams(Tally tally, int streams) {
    this.tally = tally;
    this.created = new CountDownLatch(streams);
  }

  /** Opens the streams and waits until the server has confirmed each. */
  void open(Connections connections, KeySpace keys, int streams, long timeoutNanos)
      throws InterruptedException {
    WatchRequest request =
        WatchRequest.newBuilder()
            .setCreateRequest(
                WatchCreateRequest.newBuilder()
                    .setKey(keys.prefixKey())
                    .setRangeEnd(keys.prefixEnd()))
            .build();
    for (int i = 0; i < streams; i++) {
      ClientCall<MessageLite, byte[]> call =
          connections.channel(i, 0).newCall(RawMethods.WATCH, CallOptions.DEFAULT);
      call.start(new Stream(), new Metadata());
      call.request(ANSWERS_UNLIMITED);
      call.sendMessage(request);
    }
    if (!created.await(timeoutNanos, TimeUnit.NANOSECONDS)) {
      throw new LoadFailure(
          created.getCount() + " of " + streams + " watches were not confirmed: " + tally.errors());
    }
  }

  /** Waits until {@code events} have arrived since the opening; returns how many are missing. */
  long awaitDelivered(long events, long timeoutNanos) throws InterruptedException {
    expected = events;
    if (delivered.get() >= events || complete.await(timeoutNanos, TimeUnit.NANOSECONDS)) {
      return 0;
    }
    return Math.max(0, events - delivered.get());
  }

  private final class Stream extends ClientCall.Listener<byte[]> {
    @Override
    public void onMessage(byte[] message) {
      long now = System.nanoTime();
      try {
        AnswerScan.WatchNote note =
            AnswerScan.watch(
                message,
                stamp -> {
                  tally.done(now - stamp);
                  delivered.incrementAndGet();
                });
        if (note.created()) {
          created.countDown();
        }
        if (note.canceled()) {
          tally.failed("watch canceled by the server");
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (delivered.get() >= expected) {
        complete.countDown();
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      tally.failed("watch stream ended: " + ClosedLoop.textOf(status));
    }
  }
}
