package io.tidemark.server.access;

import com.codahale.metrics.MetricRegistry;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionException;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.server.rpc.Stage;
import io.tidemark.statemachine.auth.AuthState;
import io.tidemark.statemachine.lease.LeaseReads;
import io.tidemark.statemachine.read.KvReads;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs reads: the barrier first when the read is linearizable, then a view on a read thread. */
public final class Reads {
  /** Far longer than an entry with a change of users and roles takes to become readable. */
  private static final long TOGETHER_NANOS = 200_000_000;

  private final Replica replica;
  private final Guard guard;
  private final ReplyBudget budget;
  private final ReadTimes times;

  public Reads(Replica replica, Guard guard, ReplyBudget budget, MetricRegistry metrics) {
    this.replica = replica;
    this.guard = guard;
    this.budget = budget;
    this.times = new ReadTimes(metrics);
  }

  /**
   * Answers the call with what {@code read} makes of a view, if the caller has the right. Does not
   * block.
   */
  public void answer(
      boolean linearizable,
      Executor lane,
      Right right,
      Reply reply,
      Function<ReadView, Spliced> read) {
    afterBarrier(linearizable, lane, reply, () -> withView(right, reply, read));
  }

  /** Runs {@code action} on the lane once reads are fresh enough. Does not block. */
  public void afterBarrier(boolean linearizable, Executor lane, Reply reply, Runnable action) {
    if (!linearizable && !guard.needsBarrier(reply.headers())) {
      submit(lane, reply, action);
      return;
    }
    reply.enter(Stage.BARRIER);
    var unused =
        barrier()
            .thenAccept(
                failure -> failure.ifPresentOrElse(reply::fail, () -> submit(lane, reply, action)));
  }

  /** Empty once this member's data is fresh enough, else why that couldn't be found out. */
  public CompletableFuture<Optional<EtcdError>> barrier() {
    return guard.barrier();
  }

  /**
   * A snapshot of the newest applied state that the caller may read, to be closed; null when he may
   * not, and the call is over then.
   */
  public @Nullable ReadView view(Right right, Reply reply) {
    Permitted permitted = permitted(right, reply.headers(), reply.attributes());
    if (permitted.view() == null) {
      reply.fail(permitted.reason());
    }
    return permitted.view();
  }

  /**
   * Either a snapshot that the caller may read, to be closed, or the reason why not.
   *
   * @param view null if there is a reason
   * @param reason nothing to look at if there is a view
   */
  public record Permitted(@Nullable ReadView view, EtcdError reason) {}

  /** As {@link #view}, and leaves the call alone. */
  public Permitted permitted(Right right, Metadata callHeaders, Attributes attributes) {
    long began = System.nanoTime();
    do {
      AuthState before = guard.state();
      ReadView view = replica.view();
      Admission admission = guard.admit(callHeaders, attributes, right, LeaseReads.attached(view));
      // Only then the caller's rights and the data are of one moment.
      boolean together = admission.state() == before && view.applied().index() >= before.index();
      EtcdError refusal = admission.refusal();
      if (together && refusal == null) {
        return new Permitted(view, EtcdError.PERMISSION_DENIED);
      }
      view.close();
      if (together && refusal != null) {
        return new Permitted(null, refusal);
      }
      Thread.yield();
    } while (System.nanoTime() - began < TOGETHER_NANOS);
    return new Permitted(null, EtcdError.AUTH_OLD_REVISION);
  }

  /** The newest revision of this member. */
  public long revision() {
    return replica.status().appliedRevision();
  }

  /** The newest compact revision of this member. */
  public long compactRevision() {
    return replica.compactRevision();
  }

  private void withView(Right right, Reply reply, Function<ReadView, Spliced> read) {
    reply.enter(Stage.READ);
    ReadView view = view(right, reply);
    if (view == null) {
      return;
    }
    Spliced answer;
    long began = System.nanoTime();
    try (view) {
      answer = read.apply(view);
    } catch (RuntimeException | Error e) {
      times.failed(System.nanoTime() - began);
      throw e;
    }
    long took = System.nanoTime() - began;
    times.done(took);
    reply.wasRead(took, answer.size());
    reply.enter(Stage.REPLY);
    budget.send(reply, answer);
  }

  /** Runs an action that may throw what reads throw, and reports it to the client. */
  public static void guarded(Reply reply, Runnable action) {
    if (reply.isOver()) {
      return;
    }
    try {
      action.run();
    } catch (RevisionException e) {
      reply.fail(KvReads.error(e));
    } catch (OutOfMemoryError e) {
      // Network buffers are bounded apart from the heap; one reply too many is no reason to stop.
      reply.fail(Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: response is too large"));
    } catch (RuntimeException e) {
      reply.fault(e);
    }
  }

  private static void submit(Executor lane, Reply reply, Runnable action) {
    reply.enter(Stage.THREAD);
    try {
      lane.execute(() -> guarded(reply, action));
    } catch (RejectedExecutionException full) {
      reply.fail(EtcdError.TOO_MANY_REQUESTS);
    }
  }
}
