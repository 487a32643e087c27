package io.tidemark.server.gateway;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.tidemark.server.http.HttpAnswer;
import io.tidemark.server.http.HttpCaller;
import io.tidemark.server.http.HttpFlow;
import io.tidemark.server.rpc.CallLoop;
import io.tidemark.server.rpc.CallTallies;
import io.tidemark.server.rpc.Request;
import io.tidemark.server.rpc.Spliced;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call that came as JSON. To its handler it looks like any gRPC call; to the connection it is an
 * answer, whole or in lines.
 *
 * <p>Lines that wait for a slow client are bounded as in gRPC: handlers send only while {@link
 * #isReady}, that is, while less than {@value #UNSENT_BYTES_MAX} bytes wait.
 *
 * <p>Thread: the connection's event loop, but for what {@link ServerCall} lets any thread do:
 * sending, closing, requesting and asking.
 */
final class GatewayCall extends ServerCall<Request, Spliced> implements HttpFlow {
  private static final Logger LOG = LoggerFactory.getLogger(GatewayCall.class);
  private static final int UNSENT_BYTES_MAX = 64 * 1024;

  /** A reply is deeper than its request by what it found, and requests may be 100 deep. */
  private static final int REPLY_DEPTH_MAX = 200;

  /** Smaller replies become JSON where they are. */
  private static final int HEAVY_BYTES = 64 * 1024;

  private final Route route;
  private final MethodDescriptor<Request, Spliced> method;
  private final HttpCaller caller;
  private final ScheduledExecutorService loop;
  private final Executor heavy;
  private final Requests requests;
  private final CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
  private final AtomicInteger granted = new AtomicInteger();
  private final AtomicLong unsentBytes = new AtomicLong();
  private volatile boolean cancelled;

  private CallTallies.@Nullable Call tally;
  private Listener<Request> listener = new Listener<>() {};
  private boolean pumping;
  private boolean inputOver;
  private boolean ended;
  private boolean told;
  private @Nullable ScheduledFuture<?> deadline;

  /** The reply of a call with one reply, until the call is closed. */
  private @Nullable Spliced single;

  /** Lines that were made before the head was on its way; bounded as those behind it. */
  private final Deque<ByteString> early = new ArrayDeque<>();

  private boolean endsEarly;
  private @Nullable Sink sink;

  GatewayCall(
      Route route,
      MethodDescriptor<Request, Spliced> method,
      HttpCaller caller,
      Requests requests,
      Executor heavy) {
    this.route = route;
    this.method = method;
    this.caller = caller;
    this.loop = CallLoop.of(caller.attributes());
    this.requests = requests;
    this.heavy = heavy;
  }

  CompletableFuture<HttpAnswer> answer() {
    return answer;
  }

  /** Says who counts this call; before it starts. */
  void countedBy(CallTallies.@Nullable Call call) {
    tally = call;
  }

  /**
   * Runs the handler.
   *
   * @param timeoutNanos the call's limit, or {@link CallHeaders#NO_TIMEOUT}
   */
  void start(ServerCallHandler<Request, Spliced> handler, Metadata headers, long timeoutNanos) {
    try {
      listener = handler.startCall(this, headers);
      pump();
      listener.onReady();
    } catch (RuntimeException e) {
      LOG.error("call to {} failed", route.method(), e);
      cancel(Status.UNKNOWN.withDescription("etcdserver: internal error: " + e.getMessage()));
    }
    if (timeoutNanos != CallHeaders.NO_TIMEOUT && !ended) {
      Status late = Status.DEADLINE_EXCEEDED.withDescription("context deadline exceeded");
      deadline = loop.schedule(() -> cancel(late), timeoutNanos, TimeUnit.NANOSECONDS);
    }
    caller.whenOver(this::over);
    caller.whenGone(() -> cancel(Status.CANCELLED.withDescription("context canceled")));
  }

  @Override
  public void request(int count) {
    granted.addAndGet(count);
    onLoop(this::pump);
  }

  /** Hands over as many requests as the handler wants. */
  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      while (granted.get() > 0 && !ended && !inputOver) {
        Request next = requests.next();
        if (next == null) {
          inputOver = true;
          listener.onHalfClose();
        } else {
          granted.decrementAndGet();
          if (tally != null) {
            tally.receivedMessage();
          }
          listener.onMessage(next);
        }
      }
    } catch (BadRequestException e) {
      cancel(Status.INVALID_ARGUMENT.withDescription(e.text()));
    } finally {
      pumping = false;
    }
  }

  @Override
  public void sendHeaders(Metadata headers) {}

  @Override
  public void sendMessage(Spliced message) {
    CallTallies.Call counted = tally;
    if (counted != null) {
      counted.sentMessage();
    }
    if (!route.manyReplies()) {
      onLoop(() -> single = message);
      return;
    }
    unsentBytes.addAndGet(message.size());
    onLoop(() -> line(message));
  }

  @Override
  public void close(Status status, Metadata trailers) {
    onLoop(() -> end(status));
  }

  @Override
  public boolean isReady() {
    return !cancelled && unsentBytes.get() < UNSENT_BYTES_MAX;
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public MethodDescriptor<Request, Spliced> getMethodDescriptor() {
    return method;
  }

  @Override
  public Attributes getAttributes() {
    return caller.attributes();
  }

  @Override
  public void start(Sink open) {
    sink = open;
    early.forEach(line -> write(open, line));
    early.clear();
    if (endsEarly) {
      open.end();
    }
  }

  private void line(Spliced message) {
    if (ended) {
      return;
    }
    ByteString line = JsonMessages.write("{\"result\":", message(message), "}\n");
    unsentBytes.addAndGet(line.size() - message.size());
    emit(line);
  }

  private void emit(ByteString line) {
    Sink open = sink;
    if (open != null) {
      write(open, line);
      return;
    }
    early.add(line);
    answer.complete(HttpAnswer.jsonLines(this));
  }

  private void write(Sink open, ByteString line) {
    open.write(line, () -> written(line.size()));
  }

  private void written(int bytes) {
    long left = unsentBytes.addAndGet(-bytes);
    if (!ended && left < UNSENT_BYTES_MAX && left + bytes >= UNSENT_BYTES_MAX) {
      listener.onReady();
    }
  }

  /** The handler is done. */
  private void end(Status status) {
    if (ended) {
      return;
    }
    ended = true;
    if (tally != null) {
      tally.ended(status);
    }
    ScheduledFuture<?> limit = deadline;
    if (limit != null) {
      limit.cancel(false);
    }
    boolean answered = answer.isDone();
    if (answered && !status.isOk()) {
      ByteString line = ByteString.copyFromUtf8(JsonErrors.line(status));
      unsentBytes.addAndGet(line.size());
      emit(line);
    }
    if (answered) {
      endLines();
    } else if (!status.isOk()) {
      answer.complete(JsonErrors.answer(status));
    } else if (route.manyReplies()) {
      endLines();
      answer.complete(HttpAnswer.jsonLines(this));
    } else {
      endWhole();
    }
  }

  private void endLines() {
    endsEarly = true;
    Sink open = sink;
    if (open != null) {
      open.end();
    }
  }

  private void endWhole() {
    Spliced reply = single;
    single = null;
    if (reply == null) {
      answer.complete(
          JsonErrors.answer(Status.INTERNAL.withDescription("the call ended without a reply")));
    } else if (reply.size() < HEAVY_BYTES) {
      answerWith(reply);
    } else {
      try {
        heavy.execute(() -> answerWith(reply));
      } catch (RejectedExecutionException full) {
        answer.complete(tooLarge());
      }
    }
  }

  /** Any thread. */
  private void answerWith(Spliced reply) {
    try {
      answer.complete(HttpAnswer.json(200, JsonMessages.write("", message(reply), "")));
    } catch (OutOfMemoryError e) {
      // One reply too many is no reason to stop.
      answer.complete(tooLarge());
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }

  private static HttpAnswer tooLarge() {
    return JsonErrors.answer(
        Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: response is too large"));
  }

  private Message message(Spliced reply) {
    try {
      CodedInputStream in = reply.joined().newCodedInput();
      in.setRecursionLimit(REPLY_DEPTH_MAX);
      return route.reply().getParserForType().parseFrom(in);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a reply of this member is unreadable", e);
    }
  }

  /** Ends the call from this side. */
  private void cancel(Status why) {
    if (ended) {
      return;
    }
    cancelled = true;
    end(why);
    tell(true);
  }

  /** The answer is written, or there is nobody to write it to. */
  private void over() {
    cancel(Status.CANCELLED.withDescription("context canceled"));
    tell(false);
  }

  private void tell(boolean gone) {
    if (told) {
      return;
    }
    told = true;
    if (gone) {
      listener.onCancel();
    } else {
      listener.onComplete();
    }
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException stopped) {
      LOG.debug("call outlived its event loop");
    }
  }
}
