package io.tidemark.server.access;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.raftcore.read.BarrierResult;
import io.tidemark.server.rpc.Reply;
import io.tidemark.statemachine.auth.AttachedKeys;
import io.tidemark.statemachine.auth.AuthState;
import io.tidemark.statemachine.auth.Authority;
import io.tidemark.statemachine.auth.Caller;
import io.tidemark.statemachine.auth.Permissions;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Decides whether a call may go on: first its credentials, then its right.
 *
 * <p>Reads are decided here, together with their view of the data ({@link Reads#view}). Writes are
 * decided again where they stand in the log. Any thread; nothing blocks.
 */
public final class Guard {
  private final Gate gate;
  private final Authority authority;
  private final Identities identities;
  private final Replica replica;

  public Guard(Gate gate, Identities identities, Replica replica) {
    this.gate = gate;
    this.authority = replica.authority();
    this.identities = identities;
    this.replica = replica;
  }

  /** What is asked before anything else. */
  public Gate gate() {
    return gate;
  }

  /** Users and roles as they are now. */
  public AuthState state() {
    return authority.state();
  }

  /** Whether a call must wait for a read barrier before it can be decided about. */
  public boolean needsBarrier(Metadata headers) {
    return authority.state().enabled() && identities.isAhead(headers);
  }

  /** What a call that stays open keeps of its headers, to be asked about again and again. */
  public Metadata credentials(Metadata headers) {
    return identities.credentials(headers);
  }

  /** Decides under the newest state. */
  public Admission admit(Metadata headers, Attributes attributes, Right right) {
    return admit(headers, attributes, right, AttachedKeys.NONE);
  }

  /** As above, for a right that is a question of leases. */
  public Admission admit(
      Metadata headers, Attributes attributes, Right right, AttachedKeys attached) {
    AuthState state = authority.state();
    if (!state.enabled()) {
      return new Admission(state, Caller.ANONYMOUS, null);
    }
    Identity identity = identities.of(headers, attributes, state);
    EtcdError refusal = identity.refusal();
    if (refusal == null) {
      refusal = right.missing(new Permissions(state, identity.caller(), attached));
    }
    return new Admission(state, identity.caller(), refusal);
  }

  /** As above, for a call with one request. */
  public Admission admit(Reply reply, Right right) {
    return admit(reply.headers(), reply.attributes(), right);
  }

  /** Goes on with the caller if he has the right, else fails the call. */
  public void pass(Reply reply, Right right, Consumer<Caller> next) {
    if (needsBarrier(reply.headers())) {
      behindBarrier(reply, () -> decide(reply, right, next));
    } else {
      decide(reply, right, next);
    }
  }

  /**
   * As {@link #pass}, for a write. This member may not have heard yet of a right that was given
   * through another one, so it refuses only behind a barrier.
   */
  public void passWrite(Reply reply, Right right, Consumer<Caller> next) {
    Admission admission = admit(reply, right);
    if (admission.refusal() == null) {
      next.accept(admission.caller());
    } else {
      behindBarrier(reply, () -> decide(reply, right, next));
    }
  }

  private void decide(Reply reply, Right right, Consumer<Caller> next) {
    Admission admission = admit(reply, right);
    if (admission.refusal() != null) {
      reply.fail(admission.refusal());
    } else {
      next.accept(admission.caller());
    }
  }

  /** Goes on once this member knows what all acknowledged writes did, else fails the call. */
  public void behindBarrier(Reply reply, Runnable action) {
    var unused =
        barrier()
            .thenAccept(failure -> failure.ifPresentOrElse(reply::fail, action))
            .exceptionally(
                bug -> {
                  reply.fault(bug);
                  return null;
                });
  }

  /** Empty once this member's data is fresh enough, else why that couldn't be found out. */
  public CompletableFuture<Optional<EtcdError>> barrier() {
    return replica.readBarrier().thenApply(result -> result.on(FAILURE));
  }

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
}
