package io.tidemark.ctl.bench;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the leases of a set alive over some streams, each lease on a stream of its own choice: at
 * an even pace, or as fast as the answers allow. A stream that ends is counted as an error and
 * opened again on the next endpoint; its unanswered requests are lost, and sent again in their
 * turn.
 *
 * <p>Thread: {@link #start} and {@link #stop} from the thread that runs the load; the rest happens
 * on the event loops.
 */
final class KeepAliveStreams {
  static final String GONE = "lease is gone";

  private static final long TICK_MICROS = 1_000;

  /** Unanswered requests of a stream when there is no pace. */
  private static final int WINDOW = 64;

  private final Connections connections;
  private final LeaseSet leases;
  private final Duration interval;
  private final Tally tally;
  private final List<Stream> streams = new ArrayList<>();
  private volatile boolean stopped;
  private @Nullable ScheduledFuture<?> ticking;

  /** Ticks only: renewals that were due so far. */
  private long due;

  /**
   * Streams that aren't open.
   *
   * @param interval between two renewals of a lease; zero for no pace
   */
  KeepAliveStreams(
      Connections connections, LeaseSet leases, int count, Duration interval, Tally tally) {
    this.connections = connections;
    this.leases = leases;
    this.interval = interval;
    this.tally = tally;
    for (int i = 0; i < count; i++) {
      streams.add(new Stream(i, count));
    }
  }

  void start() {
    streams.forEach(Stream::open);
    if (interval.isZero()) {
      streams.forEach(stream -> stream.renew(WINDOW));
      return;
    }
    long begun = System.nanoTime();
    ticking =
        connections
            .timer()
            .scheduleAtFixedRate(() -> tick(begun), 0, TICK_MICROS, TimeUnit.MICROSECONDS);
  }

  private void tick(long begun) {
    double share = (double) (System.nanoTime() - begun) / interval.toNanos();
    long dueNow = (long) (share * leases.size());
    for (; due < dueNow; due++) {
      streams.get((int) (due % streams.size())).renew(1);
    }
  }

  void stop() {
    stopped = true;
    if (ticking != null) {
      ticking.cancel(false);
    }
    streams.forEach(Stream::cancel);
  }

  /** One call after another. */
  private final class Stream {
    private final int number;
    private final int step;
    private final Deque<Long> sentAt = new ArrayDeque<>();
    private @Nullable ClientCall<MessageLite, byte[]> call;
    private int turn;
    private int lease;

    Stream(int number, int step) {
      this.number = number;
      this.step = step;
      this.lease = number;
    }

    synchronized void open() {
      ClientCall<MessageLite, byte[]> opened =
          connections.channel(number, turn++).newCall(RawMethods.KEEP_ALIVE, CallOptions.DEFAULT);
      sentAt.clear();
      call = opened;
      opened.start(new Answers(), new Metadata());
      opened.request(Integer.MAX_VALUE);
    }

    /** Sends renewals for the stream's next leases. */
    synchronized void renew(int count) {
      ClientCall<MessageLite, byte[]> current = call;
      for (int i = 0; i < count && current != null; i++) {
        sentAt.add(System.nanoTime());
        current.sendMessage(LeaseKeepAliveRequest.newBuilder().setID(leases.id(lease)).build());
        lease = lease + step < leases.size() ? lease + step : number;
      }
    }

    synchronized void cancel() {
      if (call != null) {
        call.cancel("enough", null);
        call = null;
      }
    }

    private synchronized void answered(long ttl) {
      Long begun = sentAt.poll();
      if (begun != null && ttl > 0) {
        tally.done(System.nanoTime() - begun);
      } else {
        tally.failed(GONE);
      }
      if (interval.isZero() && !stopped) {
        renew(1);
      }
    }

    private synchronized void ended(Status status) {
      call = null;
      if (stopped) {
        return;
      }
      tally.failed("stream ended: " + ClosedLoop.textOf(status));
      connections.later(this::reopen, ClosedLoop.PAUSE_AFTER_ERROR_MILLIS);
    }

    private synchronized void reopen() {
      if (!stopped) {
        open();
        renew(interval.isZero() ? WINDOW : 0);
      }
    }

    private final class Answers extends ClientCall.Listener<byte[]> {
      @Override
      public void onMessage(byte[] message) {
        try {
          answered(AnswerScan.keepAliveTtl(message));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        ended(status);
      }
    }
  }
}
