package io.tidemark.it.load;

import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.it.client.MemberClient;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Asks every member, a few times a second, whom it takes for the leader. */
public final class LeaderWatch implements AutoCloseable {
  private static final Duration ONE_ANSWER = Duration.ofMillis(500);
  private static final Duration PACE = Duration.ofMillis(250);

  /**
   * What one member said.
   *
   * @param member who was asked
   * @param leader the leader's id as the member knows it; 0 if it knows none; its own if it leads
   * @param own the member's id
   */
  public record Said(long nanos, int member, long own, long leader, long term) {}

  private final Queue<Said> said = new ConcurrentLinkedQueue<>();
  private final List<MemberClient> members;
  private final Crowd crowd;

  /** Starts a thread for each member. */
  public LeaderWatch(List<MemberClient> members) {
    this.members = members.stream().map(client -> client.patient(ONE_ANSWER)).toList();
    this.crowd = new Crowd("it-leader-watch-", members.size(), 0, this::ask);
    crowd.start();
  }

  private void ask(int member, Random random) {
    var answer = members.get(member).status();
    if (answer.answered()) {
      StatusResponse status = answer.answer();
      said.add(
          new Said(
              System.nanoTime(),
              member,
              status.getHeader().getMemberId(),
              status.getLeader(),
              status.getRaftTerm()));
    }
    crowd.pause(PACE);
  }

  /** Stops it. */
  public List<Said> stop() {
    crowd.stop();
    return List.copyOf(said);
  }

  @Override
  public void close() {
    crowd.close();
  }
}
