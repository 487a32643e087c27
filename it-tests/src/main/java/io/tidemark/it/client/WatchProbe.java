package io.tidemark.it.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.tidemark.api.etcdserverpb.WatchCancelRequest;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchProgressRequest;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.process.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One watch stream and everything that came down it, in order. Requests may be sent from any
 * thread; waiting blocks the caller until an answer satisfies it.
 */
public final class WatchProbe
    implements ClientResponseObserver<WatchRequest, WatchResponse>, AutoCloseable {
  /** How long an answer of a healthy member may take on a loaded machine. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  @GuardedBy("this")
  private final List<WatchResponse> responses = new ArrayList<>();

  @GuardedBy("this")
  private @Nullable Status end;

  private volatile @Nullable StreamObserver<WatchRequest> requests;
  private volatile @Nullable ClientCallStreamObserver<WatchRequest> call;

  WatchProbe() {}

  void attach(StreamObserver<WatchRequest> stream) {
    requests = stream;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
    call = stream;
  }

  public WatchProbe create(WatchCreateRequest request) {
    return send(WatchRequest.newBuilder().setCreateRequest(request).build());
  }

  /** A watch on a key or range; end empty = single key. */
  public WatchProbe create(String key, String end, long startRevision) {
    return create(request(key, end, startRevision).build());
  }

  /** A create request to add flags to. */
  public static WatchCreateRequest.Builder request(String key, String end, long startRevision) {
    return WatchCreateRequest.newBuilder()
        .setKey(ByteString.copyFromUtf8(key))
        .setRangeEnd(ByteString.copyFromUtf8(end))
        .setStartRevision(startRevision);
  }

  public WatchProbe cancel(long watchId) {
    return send(
        WatchRequest.newBuilder()
            .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(watchId))
            .build());
  }

  public WatchProbe requestProgress() {
    return send(
        WatchRequest.newBuilder()
            .setProgressRequest(WatchProgressRequest.getDefaultInstance())
            .build());
  }

  /** Sends END_STREAM; answers keep coming. */
  public void halfClose() {
    StreamObserver<WatchRequest> stream = requests;
    if (stream != null) {
      stream.onCompleted();
    }
  }

  private WatchProbe send(WatchRequest request) {
    StreamObserver<WatchRequest> stream = requests;
    if (stream == null) {
      throw new IllegalStateException("not attached");
    }
    synchronized (stream) {
      stream.onNext(request);
    }
    return this;
  }

  @Override
  public synchronized void onNext(WatchResponse response) {
    responses.add(response);
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

  /** Everything that came so far. */
  public synchronized List<WatchResponse> responses() {
    return List.copyOf(responses);
  }

  /** Whether the stream has ended. */
  public synchronized boolean ended() {
    return end != null;
  }

  /** Events of one watch so far. */
  public List<Event> events(long watchId) {
    return responses().stream()
        .filter(response -> response.getWatchId() == watchId)
        .flatMap(response -> response.getEventsList().stream())
        .toList();
  }

  /** The first response, old or new, that is wanted. */
  public WatchResponse await(String what, Predicate<WatchResponse> wanted) {
    return awaitState(what, all -> all.stream().filter(wanted).findFirst().orElse(null), PATIENCE);
  }

  /** The {@code n}-th created answer, from 0. */
  public WatchResponse awaitCreated(int n) {
    return awaitState(
        "created answer " + n,
        all -> all.stream().filter(WatchResponse::getCreated).skip(n).findFirst().orElse(null),
        PATIENCE);
  }

  /** Exactly the first {@code count} events of a watch. */
  public List<Event> awaitEvents(long watchId, int count) {
    awaitState(
        count + " events of watch " + watchId,
        all ->
            all.stream()
                        .filter(response -> response.getWatchId() == watchId)
                        .mapToInt(WatchResponse::getEventsCount)
                        .sum()
                    >= count
                ? Boolean.TRUE
                : null,
        PATIENCE);
    return events(watchId).subList(0, count);
  }

  /** Blocks until a watch has delivered an event of this revision or a later one. */
  public void awaitRevision(long watchId, long revision) {
    await(
        "an event of watch " + watchId + " at revision " + revision,
        response ->
            response.getWatchId() == watchId
                && response.getEventsList().stream()
                    .anyMatch(event -> event.getKv().getModRevision() >= revision));
  }

  /** The status that the stream ends with. */
  public synchronized Status awaitEnd(Duration limit) {
    long deadline = System.nanoTime() + Patience.stretch(limit).toNanos();
    while (end == null) {
      waitUntil(deadline, "end of the stream");
    }
    return end;
  }

  /** What {@code query} finds in all responses, as soon as it finds something. */
  public synchronized <T> T awaitState(
      String what, Function<List<WatchResponse>, @Nullable T> query, Duration limit) {
    long deadline = System.nanoTime() + Patience.stretch(limit).toNanos();
    while (true) {
      T found = query.apply(Collections.unmodifiableList(responses));
      if (found != null) {
        return found;
      }
      if (end != null) {
        throw new AssertionError("stream ended with " + end + " before: " + what);
      }
      waitUntil(deadline, what);
    }
  }

  @GuardedBy("this")
  private void waitUntil(long deadline, String what) {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new AssertionError("did not come: " + what + "; got " + summary());
    }
    try {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + what, interrupted);
    }
  }

  @GuardedBy("this")
  private String summary() {
    int from = Math.max(0, responses.size() - 5);
    return responses.size() + " responses, last: " + responses.subList(from, responses.size());
  }

  @Override
  public void close() {
    ClientCallStreamObserver<WatchRequest> stream = call;
    if (stream != null) {
      stream.cancel("test over", null);
    }
  }
}
