package io.tidemark.server.concurrency;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.api.v3electionpb.CampaignRequest;
import io.tidemark.api.v3electionpb.CampaignResponse;
import io.tidemark.api.v3electionpb.LeaderKey;
import io.tidemark.server.access.Headers;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import java.util.concurrent.CompletableFuture;

/** One call of Campaign: stands in the queue with a value, and answers as the leader. */
final class CampaignCall extends QueueCall {
  private final CampaignRequest request;

  CampaignCall(Steps steps, Headers headers, CampaignRequest request, Reply reply) {
    super(steps, headers, request.getName(), reply);
    this.request = request;
  }

  @Override
  CompletableFuture<Void> run() {
    return steps.lease(request.getLease()).thenCompose(this::join);
  }

  private CompletableFuture<Void> join(long lease) {
    ByteString key = Keys.key(name, lease);
    return steps
        .txn(Keys.join(key, request.getValue(), lease).build())
        .thenCompose(joined -> wait(key, lease, joined));
  }

  private CompletableFuture<Void> wait(ByteString key, long lease, TxnResponse joined) {
    long header = joined.getHeader().getRevision();
    if (joined.getSucceeded()) {
      return stand(key, lease, header, header);
    }
    KeyValue stands = joined.getResponses(0).getResponseRange().getKvs(0);
    LeaderKey place =
        LeaderKey.newBuilder()
            .setName(name)
            .setKey(key)
            .setRev(stands.getCreateRevision())
            .setLease(lease)
            .build();
    if (stands.getValue().equals(request.getValue())) {
      return stand(key, lease, place.getRev(), header);
    }
    return ElectionService.proclaim(steps, place, lease, request.getValue())
        .thenCompose(proclaimed -> stand(key, lease, place.getRev(), header));
  }

  private CompletableFuture<Void> stand(ByteString key, long lease, long mine, long header) {
    standsInQueue(key, mine);
    return turn(mine).thenAccept(mineNow -> answer(key, lease, mine, header));
  }

  private void answer(ByteString key, long lease, long mine, long header) {
    if (keeps()) {
      reply.send(
          Spliced.of(
              CampaignResponse.newBuilder()
                  .setHeader(headers.message(header))
                  .setLeader(
                      LeaderKey.newBuilder().setName(name).setKey(key).setRev(mine).setLease(lease))
                  .build()
                  .toByteString()));
    }
  }
}
