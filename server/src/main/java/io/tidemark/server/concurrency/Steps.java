package io.tidemark.server.concurrency;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.server.access.Admission;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Reads;
import io.tidemark.server.access.Replica;
import io.tidemark.server.access.Right;
import io.tidemark.server.lease.LeaseGrants;
import io.tidemark.server.rpc.Reply;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.Outcome;
import io.tidemark.statemachine.read.KvReads;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What a client of the member would do, without the client, and with no other rights than his who
 * called. Futures fail with {@link RefusedException}. Any thread; nothing here blocks.
 */
final class Steps {
  /** For callers without a lease: theirs lives so long, and nobody renews it. */
  private static final long SESSION_SECONDS = 60;

  private final Access access;
  private final Replica replica;
  private final Reads reads;
  private final @Nullable Reply call;

  /** The parts of a member that steps need. */
  record Access(Guard guard, Replica replica, Reads reads, ReadLanes lanes, LeaseGrants grants) {}

  /**
   * @param call whose caller takes the steps; null before anybody calls
   */
  Steps(Access access, @Nullable Reply call) {
    this.access = access;
    this.replica = access.replica;
    this.reads = access.reads;
    this.call = call;
  }

  /** The steps of one call. */
  Steps by(Reply reply) {
    return new Steps(access, reply);
  }

  /** The lease itself, or a new one for none. */
  CompletableFuture<Long> lease(long lease) {
    if (lease != 0) {
      return CompletableFuture.completedFuture(lease);
    }
    Command.LeaseGrant grant =
        access.grants.command(LeaseGrantRequest.newBuilder().setTTL(SESSION_SECONDS).build());
    return commit(grant).thenApply(response -> grant.request().getID());
  }

  CompletableFuture<TxnResponse> txn(TxnRequest request) {
    return commit(new Command.Txn(request))
        .thenApply(
            response -> {
              try {
                return TxnResponse.parseFrom(response);
              } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException("a response of our own making is unreadable", e);
              }
            });
  }

  /** The revision of the delete, or the present one if there was nothing to delete. */
  CompletableFuture<Long> delete(ByteString key) {
    return result(new Command.DeleteRange(Keys.delete(key))).thenApply(Outcome.Done::revision);
  }

  /** A linearizable range. */
  CompletableFuture<RangeResponse> range(RangeRequest request) {
    CompletableFuture<RangeResponse> answer = new CompletableFuture<>();
    var unused =
        reads
            .barrier()
            .thenAccept(
                failure ->
                    failure.ifPresentOrElse(
                        error -> answer.completeExceptionally(refused(error)),
                        () -> read(request, answer)));
    return answer;
  }

  private void read(RangeRequest request, CompletableFuture<RangeResponse> answer) {
    try {
      lane()
          .execute(
              () -> {
                try {
                  answer.complete(here(request));
                } catch (RuntimeException e) {
                  answer.completeExceptionally(e);
                }
              });
    } catch (RejectedExecutionException full) {
      answer.completeExceptionally(refused(EtcdError.TOO_MANY_REQUESTS));
    }
  }

  /** A range of this member's newest state. Thread: a read thread; blocks on disk. */
  RangeResponse here(RangeRequest request) {
    Right right = permissions -> permissions.range(request);
    Reads.Permitted permitted = reads.permitted(right, caller().headers(), caller().attributes());
    ReadView allowed = permitted.view();
    if (allowed == null) {
      throw refused(permitted.reason());
    }
    try (ReadView view = allowed) {
      return RangeResponse.parseFrom(KvReads.rangeResponse(view, request));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a response of our own making is unreadable", e);
    }
  }

  /** Where queues are read. */
  Executor lane() {
    return access.lanes.scans();
  }

  Replica replica() {
    return replica;
  }

  private CompletableFuture<ByteString> commit(Command command) {
    return result(command).thenApply(Outcome.Done::response);
  }

  private CompletableFuture<Outcome.Done> result(Command command) {
    CompletableFuture<Optional<EtcdError>> ready =
        access.guard.needsBarrier(caller().headers())
            ? access.guard.barrier()
            : CompletableFuture.completedFuture(Optional.empty());
    return ready
        .thenCompose(
            failure -> {
              if (failure.isPresent()) {
                throw refused(failure.get());
              }
              return replica.propose(onBehalf(command));
            })
        .thenApply(result -> result.on(DONE));
  }

  /** The log decides about the right itself. */
  private Command onBehalf(Command command) {
    Admission admission = access.guard.admit(caller(), Right.NONE);
    if (admission.refusal() != null) {
      throw refused(admission.refusal());
    }
    return admission.caller().isAnonymous()
        ? command
        : new Command.OnBehalf(admission.caller(), command);
  }

  private Reply caller() {
    if (call == null) {
      throw new IllegalStateException("steps without a caller");
    }
    return call;
  }

  static RefusedException refused(EtcdError error) {
    return new RefusedException(error.message());
  }

  private static final Done DONE = new Done();

  /** Gives what was done, or throws what keeps it from being done. */
  private static final class Done
      implements ProposalResult.Cases<Outcome.Done>, Outcome.Cases<Outcome.Done> {
    @Override
    public Outcome.Done applied(ProposalResult.Applied applied) {
      return applied.outcome().on(this);
    }

    @Override
    public Outcome.Done notStarted(ProposalResult.NotStarted notStarted) {
      throw refused(notStarted.error());
    }

    @Override
    public Outcome.Done unknown(ProposalResult.Unknown unknown) {
      throw refused(unknown.error());
    }

    @Override
    public Outcome.Done done(Outcome.Done done) {
      return done;
    }

    @Override
    public Outcome.Done rejected(Outcome.Rejected rejected) {
      throw refused(rejected.error());
    }
  }
}
