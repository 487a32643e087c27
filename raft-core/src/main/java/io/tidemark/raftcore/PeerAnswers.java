package io.tidemark.raftcore;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.tidemarkpb.MemberFigures;
import io.tidemark.raftcore.peer.ClusterAnswer;
import io.tidemark.raftcore.peer.ClusterQuestion;
import io.tidemark.raftcore.peer.DigestAnswer;
import io.tidemark.raftcore.peer.DigestQuestion;
import io.tidemark.raftcore.peer.PeerHandler;
import io.tidemark.raftcore.peer.SendResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a member answers to others: each question goes to the part that knows. Nothing blocks. The
 * peer port is only bound once all parts are there.
 */
final class PeerAnswers implements PeerHandler {
  /** A member that joins should hear of its own addition, but a lost quorum mustn't keep it. */
  private static final long FRESH_SECONDS = 2;

  private final MemberCore core;

  PeerAnswers(MemberCore core) {
    this.core = core;
  }

  @Override
  public CompletableFuture<SendResult> forward(byte[] entry) {
    return core.node.submit(entry);
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    return core.node.rounds().request();
  }

  @Override
  public CompletableFuture<long[]> keepAlive(long[] ids) {
    return core.leaseKeeper.renew(ids);
  }

  @Override
  public CompletableFuture<Optional<EtcdError>> permit(byte[] entry) {
    return core.membership.permit(entry);
  }

  @Override
  public CompletableFuture<DigestAnswer> digest(DigestQuestion question) {
    return core.upkeep.digest(question);
  }

  @Override
  public CompletableFuture<MemberFigures> figures() {
    return core.figures.own();
  }

  @Override
  public CompletableFuture<ClusterAnswer> describe(ClusterQuestion question) {
    if (!question.fresh()) {
      return CompletableFuture.supplyAsync(
          () -> core.membership.describe(question.memberId()), core.threads.complete);
    }
    CompletableFuture<Void> asFreshAsCanBe = new CompletableFuture<>();
    var unused = core.barriers.request().thenRun(() -> asFreshAsCanBe.complete(null));
    return asFreshAsCanBe
        .completeOnTimeout(null, FRESH_SECONDS, TimeUnit.SECONDS)
        .thenApplyAsync(
            any -> core.membership.describe(question.memberId()), core.threads.complete);
  }

  @Override
  public boolean refuses(long memberId) {
    return core.membership.refuses(memberId);
  }
}
