package io.tidemark.server.lease;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveResponse;
import io.tidemark.raftcore.lease.KeepAliveResult;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.LeaderLoss;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Request;
import io.tidemark.server.rpc.RpcStatus;
import io.tidemark.server.rpc.Spliced;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of LeaseKeepAlive. Requests are answered in their order; each goes to the replica at
 * once, so that those of one stream share an entry. When the client closes its side, the call ends
 * after the last answer.
 *
 * <p>Bound: unanswered requests; policy: no more are read. Thread: the connection's event loop.
 */
final class KeepAliveCall extends ServerCall.Listener<Request> implements LeaderLoss.Stream {
  private static final Logger LOG = LoggerFactory.getLogger(KeepAliveCall.class);
  private static final int UNANSWERED_MAX = 1024;

  private final ServerCall<Request, Spliced> call;
  private final Methods methods;
  private final Renewals renewals;
  private final Headers headers;
  private final ScheduledExecutorService loop;
  private final Consumer<KeepAliveCall> onEnd;
  private final Deque<Question> unanswered = new ArrayDeque<>();
  private final AtomicBoolean called = new AtomicBoolean();
  private boolean holdsRequests;
  private boolean halfClosed;
  private boolean over;

  KeepAliveCall(
      ServerCall<Request, Spliced> call,
      Methods methods,
      Renewals renewals,
      Headers headers,
      ScheduledExecutorService loop,
      Consumer<KeepAliveCall> onEnd) {
    this.call = call;
    this.methods = methods;
    this.renewals = renewals;
    this.headers = headers;
    this.loop = loop;
    this.onEnd = onEnd;
  }

  void start() {
    call.sendHeaders(new Metadata());
    call.request(1);
  }

  @Override
  public void onMessage(Request message) {
    if (over) {
      return;
    }
    try {
      long id = methods.parse(message, LeaseKeepAliveRequest.parser()).getID();
      // Read before the renewal: whoever sees the revision later knows the lease lived then.
      long revision = renewals.revision();
      Question question = new Question(id, revision, renewals.renew(id));
      unanswered.add(question);
      var unused = question.result.thenRun(this::answerSoon);
    } catch (Methods.RefusedMessage e) {
      end(e.status());
      return;
    }
    takeNextRequest();
  }

  @Override
  public void onReady() {
    answer();
  }

  @Override
  public void onHalfClose() {
    halfClosed = true;
    answer();
  }

  @Override
  public void onCancel() {
    forget();
  }

  @Override
  public void onComplete() {
    forget();
  }

  @Override
  public void terminate(Status status) {
    execute(() -> end(status));
  }

  /** Any thread. */
  private void answerSoon() {
    if (called.compareAndSet(false, true)) {
      execute(
          () -> {
            called.set(false);
            answer();
          });
    }
  }

  private void execute(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException stopped) {
      LOG.debug("keep-alive call outlived its event loop");
    }
  }

  private void answer() {
    for (Question head = unanswered.peek();
        !over && head != null && head.result.isDone() && call.isReady();
        head = unanswered.peek()) {
      unanswered.remove();
      head.result.join().on(new Answer(head));
    }
    if (over) {
      return;
    }
    if (halfClosed && unanswered.isEmpty()) {
      end(Status.OK);
    } else if (holdsRequests) {
      takeNextRequest();
    }
  }

  private void takeNextRequest() {
    holdsRequests = unanswered.size() >= UNANSWERED_MAX || !call.isReady();
    if (!holdsRequests) {
      call.request(1);
    }
  }

  private void end(Status status) {
    if (!over) {
      forget();
      call.close(status, new Metadata());
    }
  }

  private void forget() {
    over = true;
    unanswered.clear();
    onEnd.accept(this);
  }

  private record Question(long id, long revision, CompletableFuture<KeepAliveResult> result) {}

  private final class Answer implements KeepAliveResult.Cases<Boolean> {
    private final Question question;

    Answer(Question question) {
      this.question = question;
    }

    @Override
    public Boolean renewed(KeepAliveResult.Renewed renewed) {
      call.sendMessage(
          Spliced.of(
              LeaseKeepAliveResponse.newBuilder()
                  .setHeader(headers.message(question.revision))
                  .setID(question.id)
                  .setTTL(renewed.ttlSeconds())
                  .build()
                  .toByteString()));
      return true;
    }

    @Override
    public Boolean failed(KeepAliveResult.Failed failed) {
      EtcdError error = failed.error();
      end(RpcStatus.of(error));
      return false;
    }
  }
}
