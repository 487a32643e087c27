package io.tidemark.it.load;

import io.tidemark.it.client.MemberClient;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** One client that compacts every few seconds, near to what a majority has told of. */
public final class Compactions implements AutoCloseable {
  private final List<MemberClient> members;
  private final LongSupplier told;
  private final AtomicInteger done = new AtomicInteger();
  private final Queue<Long> asked = new ConcurrentLinkedQueue<>();
  private final Crowd crowd;

  /**
   * Starts it.
   *
   * @param told the newest revision of which everything is written down
   */
  public Compactions(List<MemberClient> members, LongSupplier told, long seed) {
    this.members = members;
    this.told = told;
    this.crowd = new Crowd("it-compactor-", 1, seed, this::compactOnce);
    crowd.start();
  }

  private void compactOnce(int who, Random random) {
    crowd.pause(Duration.ofMillis(2_000 + random.nextInt(3_000)));
    MemberClient client =
        members.get(random.nextInt(members.size())).patient(Duration.ofSeconds(3));
    client.redial();
    long revision = told.getAsLong() - random.nextInt(600);
    if (revision <= 1) {
      return;
    }
    asked.add(revision);
    if (client.compact(revision).answered()) {
      done.incrementAndGet();
    }
  }

  /** How many were answered. */
  public int done() {
    return done.get();
  }

  /** Stops it and tells the revisions that it asked for, answered or not. */
  public List<Long> stop() {
    crowd.stop();
    return List.copyOf(asked);
  }

  @Override
  public void close() {
    crowd.close();
  }
}
