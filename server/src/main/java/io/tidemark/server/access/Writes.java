package io.tidemark.server.access;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Stage;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.CommandRights;
import io.tidemark.statemachine.Outcome;
import io.tidemark.statemachine.member.MemberChange;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Proposes commands and reports what became of them. A cancelled call or a passed deadline only
 * drops the answer: a command that was proposed is never taken back half-way.
 */
public final class Writes {
  private final Replica replica;
  private final Guard guard;
  private final Headers headers;

  public Writes(Replica replica, Guard guard, Headers headers) {
    this.replica = replica;
    this.guard = guard;
    this.headers = headers;
  }

  /** Answers with the command's own response. Does not block. */
  public void propose(Command command, Reply reply) {
    run(command, reply, response -> reply.send(headers.complete(response)));
  }

  /** As above, with the command's own response changed into the call's. */
  public void propose(Command command, Reply reply, UnaryOperator<ByteString> change) {
    run(command, reply, own -> reply.send(headers.complete(change.apply(own))));
  }

  /** As {@link #propose}, but answers only when this member's disk is rid of what was compacted. */
  public void compactPhysically(CompactionRequest request, Reply reply) {
    run(
        new Command.Compact(request),
        reply,
        response -> {
          var unused =
              replica
                  .physicalCompaction(request.getRevision())
                  .whenComplete((done, failure) -> reply.send(headers.complete(response)));
        });
  }

  /**
   * As {@link #propose}, once the leader permits it, but answers only when the change is in force:
   * who is told that a member was removed may stop it.
   */
  public void changeMembers(MemberChange change, Reply reply) {
    var unused =
        replica
            .permit(change)
            .thenAccept(
                refusal ->
                    refusal.ifPresentOrElse(
                        reply::fail,
                        () ->
                            run(
                                new Command.ChangeMembers(change),
                                reply,
                                response -> whenInForce(change, response, reply))));
  }

  private void whenInForce(MemberChange change, ByteString response, Reply reply) {
    var unused =
        replica
            .inForce(change)
            .thenAccept(
                well -> {
                  if (well) {
                    reply.send(headers.complete(response));
                  } else {
                    reply.fail(EtcdError.TIMEOUT);
                  }
                });
  }

  private void run(Command command, Reply reply, Consumer<ByteString> onDone) {
    Right right = permissions -> command.on(new CommandRights(permissions)).orElse(null);
    guard.passWrite(
        reply,
        right,
        caller ->
            send(
                caller.isAnonymous() ? command : new Command.OnBehalf(caller, command),
                reply,
                onDone,
                reply::fail));
  }

  /**
   * Proposes what needs no right, and answers with its own response.
   *
   * @param onRejected told when the log refuses it
   */
  public void proposeFreely(Command command, Reply reply, Consumer<EtcdError> onRejected) {
    send(command, reply, response -> reply.send(headers.complete(response)), onRejected);
  }

  private void send(
      Command command, Reply reply, Consumer<ByteString> onDone, Consumer<EtcdError> onRejected) {
    if (reply.isOver()) {
      return;
    }
    reply.enter(Stage.LOG);
    var unused =
        replica
            .propose(command)
            .thenAccept(result -> result.on(new Answer(reply, onDone, onRejected)))
            .exceptionally(
                bug -> {
                  reply.fault(bug);
                  return null;
                });
  }

  private record Answer(Reply reply, Consumer<ByteString> onDone, Consumer<EtcdError> onRejected)
      implements ProposalResult.Cases<Void>, Outcome.Cases<Void> {
    @Override
    public Void applied(ProposalResult.Applied applied) {
      reply.applied(applied.times());
      return applied.outcome().on(this);
    }

    @Override
    public Void notStarted(ProposalResult.NotStarted notStarted) {
      return failed(notStarted.error());
    }

    @Override
    public Void unknown(ProposalResult.Unknown unknown) {
      return failed(unknown.error());
    }

    @Override
    public Void done(Outcome.Done done) {
      onDone.accept(done.response());
      return null;
    }

    @Override
    public Void rejected(Outcome.Rejected rejected) {
      onRejected.accept(rejected.error());
      return null;
    }

    private Void failed(EtcdError error) {
      reply.fail(error);
      return null;
    }
  }
}
