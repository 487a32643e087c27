package io.tidemark.ctl.bench;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.tidemark.api.etcdserverpb.PutRequest;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Writers that together put stamped values at a rate. A put that is due while every writer waits
 * for an answer is skipped and counted, never sent late; the stamp is the time of the call.
 *
 * <p>Thread: {@link #start} and {@link #stop} from the thread that runs the load; writers live on
 * the event loops.
 */
final class PacedPuts {
  static final String SKIPPED = "puts_skipped";

  private static final long TICK_MICROS = 500;

  private final Connections connections;
  private final KeySpace keys;
  private final int rate;
  private final Tally tally;
  private final Queue<Writer> idle;
  private final int writers;
  private final AtomicLong acknowledged = new AtomicLong();
  private final CountDownLatch drained = new CountDownLatch(1);
  private volatile boolean stopped;
  private @Nullable ScheduledFuture<?> ticking;

  /** Ticks only: puts that were due so far. */
  private long due;

  PacedPuts(Connections connections, KeySpace keys, int writers, int rate, Tally tally) {
    this.connections = connections;
    this.keys = keys;
    this.writers = writers;
    this.rate = rate;
    this.tally = tally;
    this.idle = new ArrayBlockingQueue<>(writers);
    for (int i = 0; i < writers; i++) {
      idle.add(new Writer(i));
    }
  }

  void start() {
    if (rate == 0) {
      for (Writer writer = idle.poll(); writer != null; writer = idle.poll()) {
        writer.put();
      }
      return;
    }
    long begun = System.nanoTime();
    ticking =
        connections
            .timer()
            .scheduleAtFixedRate(() -> tick(begun), 0, TICK_MICROS, TimeUnit.MICROSECONDS);
  }

  private void tick(long begun) {
    long dueNow = (long) ((System.nanoTime() - begun) / 1e9 * rate);
    for (; due < dueNow; due++) {
      Writer writer = idle.poll();
      if (writer == null) {
        tally.note(SKIPPED);
      } else {
        writer.put();
      }
    }
  }

  /** Stops and waits for the answers; returns how many puts were still open after the grace. */
  long stop(long graceNanos) throws InterruptedException {
    if (ticking != null) {
      ticking.cancel(false);
    }
    stopped = true;
    checkDrained();
    return drained.await(graceNanos, TimeUnit.NANOSECONDS) ? 0 : writers - idle.size();
  }

  /** Puts that succeeded since the start, warm-up included. */
  long acknowledged() {
    return acknowledged.get();
  }

  private void checkDrained() {
    if (stopped && idle.size() == writers) {
      drained.countDown();
    }
  }

  /** One put at a time. Fields belong to the call's thread. */
  private final class Writer extends ClientCall.Listener<byte[]> {
    private final int number;
    private final SplittableRandom random;
    private int turn;
    private long begun;

    Writer(int number) {
      this.number = number;
      this.random = keys.random(number);
    }

    void put() {
      begun = System.nanoTime();
      PutRequest request =
          PutRequest.newBuilder()
              .setKey(keys.randomKey(random))
              .setValue(keys.stampedValue(random, begun))
              .build();
      ClientCall<MessageLite, byte[]> call =
          connections.channel(number, ++turn).newCall(RawMethods.PUT, CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.request(2);
      call.sendMessage(request);
      call.halfClose();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (status.isOk()) {
        acknowledged.incrementAndGet();
        tally.done(System.nanoTime() - begun);
      } else {
        tally.failed(ClosedLoop.textOf(status));
      }
      if (rate == 0 && !stopped && status.isOk()) {
        put();
        return;
      }
      if (rate == 0 && !stopped) {
        connections.later(this::put, ClosedLoop.PAUSE_AFTER_ERROR_MILLIS);
        return;
      }
      idle.add(this);
      checkDrained();
    }
  }
}
