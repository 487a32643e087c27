package io.tidemark.server.concurrency;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.v3lockpb.LockGrpc;
import io.tidemark.api.v3lockpb.LockRequest;
import io.tidemark.api.v3lockpb.UnlockRequest;
import io.tidemark.api.v3lockpb.UnlockResponse;
import io.tidemark.server.access.Gate;
import io.tidemark.server.access.Headers;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;

/** {@code v3lockpb.Lock}. */
final class LockService {
  private final Gate gate;
  private final Steps steps;
  private final Headers headers;

  LockService(Gate gate, Steps steps, Headers headers) {
    this.gate = gate;
    this.steps = steps;
    this.headers = headers;
  }

  void register(Methods methods) {
    methods
        .add(LockGrpc.getLockMethod(), LockRequest.parser(), this::lock)
        .add(LockGrpc.getUnlockMethod(), UnlockRequest.parser(), this::unlock);
  }

  private void lock(LockRequest request, Reply reply) {
    if (!refused(gate, reply)) {
      new LockCall(steps.by(reply), headers, request, reply).start();
    }
  }

  private void unlock(UnlockRequest request, Reply reply) {
    if (refused(gate, reply)) {
      return;
    }
    var unused =
        steps
            .by(reply)
            .delete(request.getKey())
            .thenAccept(
                revision ->
                    reply.send(
                        Spliced.of(
                            UnlockResponse.newBuilder()
                                .setHeader(headers.message(revision))
                                .build()
                                .toByteString())))
            .exceptionally(
                failure -> {
                  RefusedException.report(reply, failure);
                  return null;
                });
  }

  static boolean refused(Gate gate, Reply reply) {
    EtcdError refusal = gate.refusal(reply.headers());
    if (refusal != null) {
      reply.fail(refusal);
    }
    return refusal != null;
  }
}
