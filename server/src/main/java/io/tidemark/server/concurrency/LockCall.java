package io.tidemark.server.concurrency;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.v3lockpb.LockRequest;
import io.tidemark.api.v3lockpb.LockResponse;
import io.tidemark.server.access.Headers;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import java.util.concurrent.CompletableFuture;

/** One call of Lock: stands in the queue, and answers as the owner. */
final class LockCall extends QueueCall {
  private final LockRequest request;

  LockCall(Steps steps, Headers headers, LockRequest request, Reply reply) {
    super(steps, headers, request.getName(), reply);
    this.request = request;
  }

  @Override
  CompletableFuture<Void> run() {
    return steps.lease(request.getLease()).thenCompose(this::join);
  }

  private CompletableFuture<Void> join(long lease) {
    ByteString key = Keys.key(name, lease);
    RequestOp owner =
        RequestOp.newBuilder().setRequestRange(Keys.oldest(Keys.prefix(name))).build();
    return steps
        .txn(Keys.join(key, ByteString.EMPTY, lease).addSuccess(owner).addFailure(owner).build())
        .thenCompose(joined -> wait(key, joined));
  }

  private CompletableFuture<Void> wait(ByteString key, TxnResponse joined) {
    long mine =
        joined.getSucceeded()
            ? joined.getHeader().getRevision()
            : joined.getResponses(0).getResponseRange().getKvs(0).getCreateRevision();
    standsInQueue(key, mine);
    RangeResponse owner = joined.getResponses(1).getResponseRange();
    if (owner.getKvsCount() == 0 || owner.getKvs(0).getCreateRevision() == mine) {
      answer(key, joined.getHeader().getRevision());
      return CompletableFuture.completedFuture(null);
    }
    return turn(mine)
        .thenCompose(mineNow -> steps.range(Keys.get(key)))
        .thenAccept(found -> own(key, mine, found));
  }

  /** The lease may have ended while its key was in the queue. */
  private void own(ByteString key, long mine, RangeResponse found) {
    if (found.getKvsCount() == 0 || found.getKvs(0).getCreateRevision() != mine) {
      throw new RefusedException("mutex: session is expired");
    }
    answer(key, found.getHeader().getRevision());
  }

  private void answer(ByteString key, long revision) {
    if (keeps()) {
      reply.send(
          Spliced.of(
              LockResponse.newBuilder()
                  .setHeader(headers.message(revision))
                  .setKey(key)
                  .build()
                  .toByteString()));
    }
  }
}
