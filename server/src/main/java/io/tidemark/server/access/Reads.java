package io.tidemark.server.access;

import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionException;
import io.tidemark.raftcore.read.BarrierResult;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.statemachine.read.KvReads;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/** Runs reads: the barrier first when the read is linearizable, then a view on a read thread. */
public final class Reads {
  private static final BarrierResult.Cases<Optional<EtcdError>> FAILURE =
      new BarrierResult.Cases<>() {
        @Override
        public Optional<EtcdError> passed(BarrierResult.Passed passed) {
          return Optional.empty();
        }

        @Override
        public Optional<EtcdError> failed(BarrierResult.Failed failed) {
          return Optional.of(failed.error());
        }
      };

  private final Replica replica;
  private final ReplyBudget budget;

  public Reads(Replica replica, ReplyBudget budget) {
    this.replica = replica;
    this.budget = budget;
  }

  /** Answers the call with what {@code read} makes of a view. Does not block. */
  public void answer(
      boolean linearizable, Executor lane, Reply reply, Function<ReadView, Spliced> read) {
    afterBarrier(linearizable, lane, reply, () -> withView(reply, read));
  }

  /** Runs {@code action} on the lane once reads are fresh enough. Does not block. */
  public void afterBarrier(boolean linearizable, Executor lane, Reply reply, Runnable action) {
    if (!linearizable) {
      submit(lane, reply, action);
      return;
    }
    var unused =
        barrier()
            .thenAccept(
                failure -> failure.ifPresentOrElse(reply::fail, () -> submit(lane, reply, action)));
  }

  /** Empty once this member's data is fresh enough, else why that couldn't be found out. */
  public CompletableFuture<Optional<EtcdError>> barrier() {
    return replica.readBarrier().thenApply(result -> result.on(FAILURE));
  }

  /** A snapshot of the newest applied state; the caller closes it. */
  public ReadView view() {
    return replica.view();
  }

  /** The newest compact revision of this member. */
  public long compactRevision() {
    return replica.compactRevision();
  }

  private void withView(Reply reply, Function<ReadView, Spliced> read) {
    Spliced answer;
    try (ReadView view = replica.view()) {
      answer = read.apply(view);
    }
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
    try {
      lane.execute(() -> guarded(reply, action));
    } catch (RejectedExecutionException full) {
      reply.fail(EtcdError.TOO_MANY_REQUESTS);
    }
  }
}
