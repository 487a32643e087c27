package io.tidemark.server.http;

import io.tidemark.raftcore.RaftStatus;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * {@code /tidemark/status}: what etcd's Status has no field for, above all how far this member is
 * behind. 64-bit numbers are strings, as in the JSON gateway.
 *
 * <p>The leader's commit index is the one this member last heard of; {@code leaderCommitAgeMillis}
 * says how long ago. A member that is cut off shows an age that grows, never a lag that looks
 * fresh.
 */
public final class StatusPage implements HttpEndpoint {
  private final Supplier<RaftStatus> status;

  /** A page over the member's own view of itself. */
  public StatusPage(Supplier<RaftStatus> status) {
    this.status = status;
  }

  @Override
  public CompletionStage<HttpAnswer> answer(HttpQuestion question) {
    RaftStatus now = status.get();
    return CompletableFuture.completedFuture(
        HttpAnswer.json(
            200,
            String.format(
                Locale.ROOT,
                "{\"memberId\":\"%x\",\"leaderId\":\"%x\",\"term\":\"%d\",\"commitIndex\":\"%d\","
                    + "\"appliedIndex\":\"%d\",\"appliedRevision\":\"%d\","
                    + "\"dispatchedRevision\":\"%d\",\"leaderCommitHeard\":\"%d\","
                    + "\"leaderCommitAgeMillis\":\"%d\"}",
                now.memberId(),
                now.leaderId(),
                now.term(),
                now.commitIndex(),
                now.appliedIndex(),
                now.appliedRevision(),
                now.dispatchedRevision(),
                now.leaderCommitHeard(),
                now.leaderCommitAge().toMillis())));
  }
}
