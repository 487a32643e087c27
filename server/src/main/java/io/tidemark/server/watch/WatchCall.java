package io.tidemark.server.watch;

import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.server.access.LeaderLoss;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Request;
import io.tidemark.server.rpc.RpcStatus;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.watch.WatchMessage;
import io.tidemark.watch.WatchSpec;
import io.tidemark.watch.WatchStream;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of Watch. Messages are taken from the stream only while the transport has room, so what
 * waits here is what the transport buffers. A client that closes its side goes on getting events;
 * one that cancels is forgotten at once.
 *
 * <p>Thread: the connection's event loop, but for {@link #somethingToSend}.
 */
final class WatchCall extends ServerCall.Listener<Request> implements LeaderLoss.Stream {
  private static final Logger LOG = LoggerFactory.getLogger(WatchCall.class);
  private static final ByteString FIRST_KEY = ByteString.copyFrom(new byte[] {0});
  private static final long LOOK_AGAIN_MILLIS = 10;

  private final ServerCall<Request, Spliced> call;
  private final Metadata credentials;
  private final WatchService service;
  private final ScheduledExecutorService loop;
  private final LoopTurns turns;
  private final WatchStream stream;
  private final AtomicBoolean waitsForTurn = new AtomicBoolean();
  private boolean holdsRequests;
  private boolean over;

  WatchCall(
      ServerCall<Request, Spliced> call,
      Metadata credentials,
      WatchService service,
      ScheduledExecutorService loop,
      LoopTurns turns) {
    this.call = call;
    this.credentials = credentials;
    this.service = service;
    this.loop = loop;
    this.turns = turns;
    this.stream = service.open(call.getAttributes(), this::somethingToSend);
  }

  void start() {
    call.sendHeaders(new Metadata());
    call.request(1);
  }

  /** Any thread. */
  void startLater() {
    try {
      loop.execute(
          () -> {
            if (!over) {
              start();
            }
          });
    } catch (RejectedExecutionException stopped) {
      LOG.debug("watch call outlived its event loop");
    }
  }

  @Override
  public void onMessage(Request message) {
    if (over) {
      return;
    }
    try {
      handle(service.methods().parse(message, WatchRequest.parser()));
    } catch (Methods.RefusedMessage e) {
      end(e.status());
      return;
    }
    takeNextRequest();
  }

  @Override
  public void onReady() {
    send();
  }

  @Override
  public void onCancel() {
    forget();
  }

  @Override
  public void onComplete() {
    forget();
  }

  /** Any thread; doesn't block. */
  private void somethingToSend() {
    if (waitsForTurn.compareAndSet(false, true)) {
      turns.add(this);
    }
  }

  void turn() {
    waitsForTurn.set(false);
    send();
  }

  @Override
  public void terminate(Status status) {
    try {
      loop.execute(() -> end(status));
    } catch (RejectedExecutionException stopped) {
      LOG.debug("watch call outlived its event loop");
    }
  }

  private void send() {
    while (!over && call.isReady()) {
      WatchMessage message = stream.poll();
      if (message == null) {
        break;
      }
      call.sendMessage(turns.replies().of(message));
    }
    if (holdsRequests) {
      takeNextRequest();
    }
  }

  /** The bound on requests and their answers: none is read while too many are unanswered. */
  private void takeNextRequest() {
    boolean waited = holdsRequests;
    holdsRequests = !over && !stream.acceptsRequests();
    if (over) {
      return;
    }
    if (!holdsRequests) {
      call.request(1);
    } else if (!waited) {
      lookAgainLater();
    }
  }

  /** Requests without an answer free their place silently. */
  private void lookAgainLater() {
    var unused =
        loop.schedule(
            () -> {
              if (holdsRequests) {
                takeNextRequest();
                if (holdsRequests) {
                  lookAgainLater();
                }
              }
            },
            LOOK_AGAIN_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private void handle(WatchRequest request) {
    switch (request.getRequestUnionCase()) {
      case CREATE_REQUEST -> create(request.getCreateRequest());
      case CANCEL_REQUEST -> stream.cancel(request.getCancelRequest().getWatchId());
      case PROGRESS_REQUEST -> stream.requestProgress();
      case REQUESTUNION_NOT_SET -> LOG.trace("empty watch request ignored");
    }
  }

  /** The end is asked about as the client sent it: no end needs a right without end. */
  private void create(WatchCreateRequest request) {
    ByteString key = request.getKey().isEmpty() ? FIRST_KEY : request.getKey();
    EtcdError refusal =
        service.refusal(
            credentials,
            call.getAttributes(),
            permissions -> permissions.read(key, request.getRangeEnd()));
    if (refusal == null) {
      stream.create(spec(key, request));
    } else {
      stream.reject(RpcStatus.inGoWords(refusal));
    }
  }

  private static WatchSpec spec(ByteString key, WatchCreateRequest request) {
    return new WatchSpec(
        new KeyRange(key, request.getRangeEnd()),
        request.getStartRevision(),
        request.getWatchId(),
        request.getProgressNotify(),
        request.getFiltersList().contains(WatchCreateRequest.FilterType.NOPUT),
        request.getFiltersList().contains(WatchCreateRequest.FilterType.NODELETE),
        request.getPrevKv(),
        request.getFragment());
  }

  private void end(Status status) {
    if (!over) {
      forget();
      call.close(status, new Metadata());
    }
  }

  private void forget() {
    over = true;
    holdsRequests = false;
    stream.close();
    service.forget(this);
  }
}
