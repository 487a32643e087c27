package io.tidemark.server.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answering side of a call. Any thread may use it; the first answer that ends the call wins and
 * later ones are dropped, so that answer, deadline and cancel may race.
 */
public final class Reply {
  private static final Logger LOG = LoggerFactory.getLogger(Reply.class);

  private final ServerCall<Request, Spliced> call;
  private final Metadata headers;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private boolean headersSent;

  @GuardedBy("lock")
  private boolean closed;

  private volatile boolean ended;
  private volatile @Nullable Runnable onReady;
  private final AtomicReference<@Nullable Runnable> onEnd = new AtomicReference<>();

  Reply(ServerCall<Request, Spliced> call, Metadata headers) {
    this.call = call;
    this.headers = headers;
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
  }

  @GuardedBy("lock")
  private void close(Status status) {
    closed = true;
    call.close(status, new Metadata());
  }
}
