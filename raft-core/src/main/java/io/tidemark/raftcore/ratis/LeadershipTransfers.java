package io.tidemark.raftcore.ratis;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How this member gives its leadership away: to a member that is named, to the most advanced one
 * when it stops, and to nobody when no majority answers any more.
 *
 * <p>Thread-safe but {@link #checkQuorum}. Nothing blocks but {@link #handOver}.
 */
public final class LeadershipTransfers {
  private static final Logger LOG = LoggerFactory.getLogger(LeadershipTransfers.class);
  private static final Duration STEP_DOWN = Duration.ofSeconds(3);

  private final RaftServer server;
  private final OwnRequests requests;
  private final DivisionLeadership leadership;
  private final LeaderAppenders appenders;

  /** {@link #checkQuorum} only. */
  private long ledTerm = -1;

  private long ledSinceNanos;

  LeadershipTransfers(
      RaftServer server,
      OwnRequests requests,
      DivisionLeadership leadership,
      LeaderAppenders appenders) {
    this.server = server;
    this.requests = requests;
    this.leadership = leadership;
    this.appenders = appenders;
  }

  /**
   * Steps down if this member has led its term for longer than {@code silence} and no majority
   * answered within it, or within what the entries on their way to them need. Doesn't block.
   * Thread: timer.
   */
  public void checkQuorum(Duration silence) {
    long now = System.nanoTime();
    boolean leads = leadership.leads();
    if (leads) {
      appenders.countSilent(silence);
    }
    if (!leads || leadership.term() != ledTerm) {
      // A fresh leadership: its lines to the followers may not even exist yet.
      ledTerm = leadership.term();
      ledSinceNanos = now;
      return;
    }
    if (now - ledSinceNanos <= silence.toNanos() || leadership.majority(p -> heardOf(p, silence))) {
      return;
    }
    LOG.info("{}: no majority answered within {}, stepping down", leadership.peerId(), silence);
    var unused = transfer(null, STEP_DOWN);
  }

  private boolean heardOf(String peer, Duration silence) {
    LeaderAppenders.TrackedAppender line = appenders.get(peer);
    return line != null && line.heardWithin(silence, System.nanoTime());
  }

  /**
   * If this member leads others, makes the most advanced of them lead. Blocks for the budget at
   * most.
   */
  public void handOver(Duration budget) {
    if (!leadership.leads()) {
      return;
    }
    Optional<String> successor =
        leadership.voters().stream()
            .map(appenders::get)
            .filter(Objects::nonNull)
            .max(Comparator.comparingLong(line -> line.appender().getFollower().getMatchIndex()))
            .map(LeaderAppenders.TrackedAppender::id);
    if (successor.isEmpty()) {
      return;
    }
    try {
      transfer(RaftPeerId.valueOf(successor.get()), budget)
          .get(budget.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.info("{}: leadership not handed over: {}", leadership.peerId(), e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes another voter lead, if this member leads now. Never completes exceptionally. */
  public CompletableFuture<LeadershipMove> move(String target, Duration timeout) {
    if (!leadership.leads()) {
      return CompletableFuture.completedFuture(LeadershipMove.NOT_LEADING);
    }
    if (target.equals(leadership.peerId())) {
      return CompletableFuture.completedFuture(LeadershipMove.DONE);
    }
    if (!leadership.voters().contains(target)) {
      return CompletableFuture.completedFuture(LeadershipMove.NO_SUCH_VOTER);
    }
    return transfer(RaftPeerId.valueOf(target), timeout)
        .handle(
            (reply, failure) ->
                failure == null && reply.isSuccess()
                    ? LeadershipMove.DONE
                    : LeadershipMove.TIMED_OUT);
  }

  private CompletableFuture<RaftClientReply> transfer(
      @Nullable RaftPeerId successor, Duration timeout) {
    try {
      return server.transferLeadershipAsync(requests.transfer(successor, timeout));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
