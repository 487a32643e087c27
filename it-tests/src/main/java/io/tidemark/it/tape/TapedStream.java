package io.tidemark.it.tape;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchProgressRequest;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A stream that is being taped. Any thread. */
public final class TapedStream
    implements ClientResponseObserver<WatchRequest, WatchResponse>, AutoCloseable {
  private final int member;
  private final Tape.Purpose purpose;
  private final List<WatchCreateRequest> requests;

  @GuardedBy("this")
  private final List<Tape.Arrival> arrivals = new ArrayList<>();

  @GuardedBy("this")
  private @Nullable Status end;

  private volatile long lastRevision;
  private volatile long compactRevision;
  private volatile @Nullable ClientCallStreamObserver<WatchRequest> call;

  private TapedStream(int member, Tape.Purpose purpose, List<WatchCreateRequest> requests) {
    this.member = member;
    this.purpose = purpose;
    this.requests = List.copyOf(requests);
  }

  /** Opens a stream and creates the watches on it; each must name its id. */
  public static TapedStream open(
      int member, Tape.Purpose purpose, Channel channel, List<WatchCreateRequest> requests) {
    TapedStream tape = new TapedStream(member, purpose, requests);
    StreamObserver<WatchRequest> stream = WatchGrpc.newStub(channel).watch(tape);
    for (WatchCreateRequest request : requests) {
      stream.onNext(WatchRequest.newBuilder().setCreateRequest(request).build());
    }
    return tape;
  }

  /** Asks for progress of the whole stream; nothing comes of it if the stream has ended. */
  public void requestProgress() {
    ClientCallStreamObserver<WatchRequest> stream = call;
    if (stream != null && !ended()) {
      stream.onNext(
          WatchRequest.newBuilder()
              .setProgressRequest(WatchProgressRequest.getDefaultInstance())
              .build());
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
    call = stream;
  }

  @Override
  public synchronized void onNext(WatchResponse response) {
    arrivals.add(new Tape.Arrival(System.nanoTime(), response));
    if (response.getEventsCount() > 0) {
      lastRevision =
          Math.max(
              lastRevision,
              response.getEvents(response.getEventsCount() - 1).getKv().getModRevision());
    }
    if (response.getCanceled()) {
      compactRevision = Math.max(compactRevision, response.getCompactRevision());
      end = Status.CANCELLED.withDescription(response.getCancelReason());
    }
    notifyAll();
  }

  @Override
  public synchronized void onError(Throwable failure) {
    end = Status.fromThrowable(failure);
    notifyAll();
  }

  @Override
  public synchronized void onCompleted() {
    end = Status.OK;
    notifyAll();
  }

  /** The newest revision among the events so far. */
  public long lastRevision() {
    return lastRevision;
  }

  /** The first revision there still was, if a watch was refused for being older; else 0. */
  public long compactRevision() {
    return compactRevision;
  }

  /** Whether the stream, or a watch on it, has ended. */
  public synchronized boolean ended() {
    return end != null;
  }

  /** Blocks until the stream ends or the time is over. */
  public synchronized void awaitEnd(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (long left = limit.toNanos();
        end == null && left > 0;
        left = deadline - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** What came so far. */
  public synchronized Tape tape() {
    return new Tape(member, purpose, requests, arrivals, end == null ? "" : end.toString());
  }

  @Override
  public void close() {
    ClientCallStreamObserver<WatchRequest> stream = call;
    if (stream != null) {
      stream.cancel("enough", null);
    }
  }
}
