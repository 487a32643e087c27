package io.tidemark.server.concurrency;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.v3electionpb.CampaignRequest;
import io.tidemark.api.v3electionpb.ElectionGrpc;
import io.tidemark.api.v3electionpb.LeaderKey;
import io.tidemark.api.v3electionpb.LeaderRequest;
import io.tidemark.api.v3electionpb.LeaderResponse;
import io.tidemark.api.v3electionpb.ProclaimRequest;
import io.tidemark.api.v3electionpb.ProclaimResponse;
import io.tidemark.api.v3electionpb.ResignRequest;
import io.tidemark.api.v3electionpb.ResignResponse;
import io.tidemark.server.access.Gate;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.LeaderLoss;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import java.util.concurrent.CompletableFuture;

/** {@code v3electionpb.Election}. */
final class ElectionService {
  private static final String NOT_LEADER = "election: not leader";
  private static final String NO_LEADER = "election: no leader";
  private static final String NO_FIELD = "\"leader\" field must be provided";

  private final Gate gate;
  private final LeaderLoss leaderLoss;
  private final Steps steps;
  private final Headers headers;

  ElectionService(Gate gate, LeaderLoss leaderLoss, Steps steps, Headers headers) {
    this.gate = gate;
    this.leaderLoss = leaderLoss;
    this.steps = steps;
    this.headers = headers;
  }

  void register(Methods methods) {
    methods
        .add(ElectionGrpc.getCampaignMethod(), CampaignRequest.parser(), this::campaign)
        .add(ElectionGrpc.getProclaimMethod(), ProclaimRequest.parser(), this::proclaim)
        .add(ElectionGrpc.getLeaderMethod(), LeaderRequest.parser(), this::leader)
        .add(ElectionGrpc.getObserveMethod(), LeaderRequest.parser(), this::observe)
        .add(ElectionGrpc.getResignMethod(), ResignRequest.parser(), this::resign);
  }

  private void campaign(CampaignRequest request, Reply reply) {
    if (!LockService.refused(gate, reply)) {
      new CampaignCall(steps.by(reply), headers, request, reply).start();
    }
  }

  private void observe(LeaderRequest request, Reply reply) {
    if (!LockService.refused(gate, reply)) {
      ObserveCall call =
          new ObserveCall(steps.by(reply), headers, request.getName(), reply, leaderLoss);
      leaderLoss.add(call, reply.headers());
      call.start();
    }
  }

  private void leader(LeaderRequest request, Reply reply) {
    if (LockService.refused(gate, reply)) {
      return;
    }
    answer(
        reply,
        steps
            .by(reply)
            .range(Keys.oldest(Keys.prefix(request.getName())))
            .thenApply(this::leaderResponse));
  }

  private LeaderResponse leaderResponse(RangeResponse found) {
    if (found.getKvsCount() == 0) {
      throw new RefusedException(NO_LEADER);
    }
    return LeaderResponse.newBuilder()
        .setHeader(headers.message(found.getHeader().getRevision()))
        .setKv(found.getKvs(0))
        .build();
  }

  private void proclaim(ProclaimRequest request, Reply reply) {
    if (LockService.refused(gate, reply)) {
      return;
    }
    if (!request.hasLeader()) {
      RefusedException.report(reply, new RefusedException(NO_FIELD));
      return;
    }
    Steps caller = steps.by(reply);
    answer(
        reply,
        caller
            .lease(request.getLeader().getLease())
            .thenCompose(lease -> proclaim(caller, request.getLeader(), lease, request.getValue()))
            .thenApply(
                done ->
                    ProclaimResponse.newBuilder()
                        .setHeader(headers.message(done.getHeader().getRevision()))
                        .build()));
  }

  /** Sets the value of a key that is still the one that was put into the queue. */
  static CompletableFuture<TxnResponse> proclaim(
      Steps steps, LeaderKey leader, long lease, ByteString value) {
    TxnRequest request =
        TxnRequest.newBuilder()
            .addCompare(Keys.created(leader.getKey(), leader.getRev()))
            .addSuccess(Keys.put(leader.getKey(), value, lease))
            .build();
    return steps
        .txn(request)
        .thenApply(
            done -> {
              if (!done.getSucceeded()) {
                throw new RefusedException(NOT_LEADER);
              }
              return done;
            });
  }

  private void resign(ResignRequest request, Reply reply) {
    if (LockService.refused(gate, reply)) {
      return;
    }
    if (!request.hasLeader()) {
      RefusedException.report(reply, new RefusedException(NO_FIELD));
      return;
    }
    LeaderKey leader = request.getLeader();
    TxnRequest leave =
        TxnRequest.newBuilder()
            .addCompare(Keys.created(leader.getKey(), leader.getRev()))
            .addSuccess(RequestOp.newBuilder().setRequestDeleteRange(Keys.delete(leader.getKey())))
            .build();
    answer(
        reply,
        steps
            .by(reply)
            .txn(leave)
            .thenApply(
                done ->
                    ResignResponse.newBuilder()
                        .setHeader(headers.message(done.getHeader().getRevision()))
                        .build()));
  }

  private static void answer(Reply reply, CompletableFuture<? extends MessageLite> response) {
    var unused =
        response
            .thenAccept(message -> reply.send(Spliced.of(message.toByteString())))
            .exceptionally(
                failure -> {
                  RefusedException.report(reply, failure);
                  return null;
                });
  }
}
