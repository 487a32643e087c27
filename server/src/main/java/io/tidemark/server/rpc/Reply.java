package io.tidemark.server.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.MessageLite;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.statemachine.request.RequestSummary;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answering side of a call. Any thread may use it; the first answer that ends the call wins and
 * later ones are dropped, so that answer, deadline and cancel may race.
 */
public final class Reply extends CallTimes {
  /** A larger request isn't kept for the log, but only what the log would show of it. */
  private static final int KEPT_BYTES_MAX = 4096;

  private static final Logger LOG = LoggerFactory.getLogger(Reply.class);

  private final ServerCall<Request, Spliced> call;
  private final Metadata headers;
  private final SlowCalls slow;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private boolean headersSent;

  @GuardedBy("lock")
  private boolean closed;

  /** Of a unary call that is being timed: the message, or a text in its place. */
  @GuardedBy("lock")
  private @Nullable Object request;

  @GuardedBy("lock")
  private long sentBytes;

  private volatile boolean ended;
  private volatile @Nullable Runnable onReady;
  private final AtomicReference<@Nullable Runnable> onEnd = new AtomicReference<>();

  Reply(ServerCall<Request, Spliced> call, Metadata headers, SlowCalls slow) {
    this.call = call;
    this.headers = headers;
    this.slow = slow;
  }

  /** The call's time begins to count, if it is one that is to be quick. */
  void begin(MessageLite message) {
    MethodDescriptor<?, ?> method = call.getMethodDescriptor();
    if (method.getType() != MethodDescriptor.MethodType.UNARY
        || !SlowCalls.watches(method.getFullMethodName())) {
      return;
    }
    beginTiming();
    synchronized (lock) {
      request =
          message.getSerializedSize() <= KEPT_BYTES_MAX ? message : RequestSummary.of(message);
    }
  }

  /** The store was read for this call for so long, and gave so many bytes. */
  public void wasRead(long nanos, long bytes) {
    synchronized (lock) {
      if (request != null) {
        slow.read(nanos, request, bytes);
      }
    }
  }

  /** The metadata that came with the call. */
  public Metadata headers() {
    return headers;
  }

  public Attributes attributes() {
    return call.getAttributes();
  }

  /** Sends the one message of a unary call and ends it well. */
  public void send(Spliced message) {
    synchronized (lock) {
      if (open()) {
        message(message);
        close(Status.OK);
      }
    }
  }

  /** Sends one of several messages. */
  public void sendPart(Spliced message) {
    synchronized (lock) {
      if (open()) {
        message(message);
      }
    }
  }

  public void fail(EtcdError error) {
    fail(RpcStatus.of(error));
  }

  public void fail(Status status) {
    synchronized (lock) {
      if (open()) {
        close(status);
      }
    }
  }

  /** Ends the call for a reason that is no client's fault; the cause is logged. */
  public void fault(Throwable cause) {
    LOG.error("call to {} failed", call.getMethodDescriptor().getFullMethodName(), cause);
    fail(Status.UNKNOWN.withDescription("etcdserver: internal error: " + cause.getMessage()));
  }

  /** Nobody waits for the answer any more: cancelled, past its deadline, or answered. */
  public boolean isOver() {
    return ended || call.isCancelled();
  }

  /** The transport takes more messages without buffering beyond its threshold. */
  public boolean isReady() {
    return call.isReady();
  }

  /** Runs on the event loop each time {@link #isReady} turns true. */
  public void whenReady(Runnable action) {
    onReady = action;
  }

  /**
   * Runs exactly once when the call is over, however it ended: all was written, or nobody waits any
   * more. On the event loop, or at once when it is over already. One action a call.
   */
  public void whenOver(Runnable action) {
    onEnd.set(action);
    if (ended) {
      runOnEnd();
    }
  }

  void ready() {
    Runnable action = onReady;
    if (action != null) {
      action.run();
    }
  }

  void ended() {
    ended = true;
    synchronized (lock) {
      over(Status.CANCELLED);
    }
    runOnEnd();
  }

  private void runOnEnd() {
    Runnable action = onEnd.getAndSet(null);
    if (action != null) {
      action.run();
    }
  }

  @GuardedBy("lock")
  private boolean open() {
    return !closed && !call.isCancelled();
  }

  @GuardedBy("lock")
  private void message(Spliced message) {
    if (!headersSent) {
      headersSent = true;
      call.sendHeaders(new Metadata());
    }
    call.sendMessage(message);
    sentBytes += message.size();
  }

  @GuardedBy("lock")
  private void close(Status status) {
    closed = true;
    call.close(status, new Metadata());
    over(status);
  }

  @GuardedBy("lock")
  private void over(Status status) {
    Object timed = request;
    if (timed != null) {
      request = null;
      slow.ended(this, call.getMethodDescriptor().getFullMethodName(), timed, status, sentBytes);
    }
  }
}
