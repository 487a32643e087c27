package io.tidemark.it.nemesis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * An endless list of faults that follows from its seed and kinds alone: round after round of all
 * kinds, each round in another order. One thread.
 */
public final class Schedule {
  private static final int HOLD_MIN_MILLIS = 2_000;
  private static final int HOLD_SPREAD_MILLIS = 4_000;

  private final List<FaultKind> kinds;
  private final Random random;
  private final Deque<FaultKind> round = new ArrayDeque<>();
  private int number;

  /**
   * A new one.
   *
   * @param kinds at least one
   */
  public Schedule(List<FaultKind> kinds, long seed) {
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException("a schedule of nothing");
    }
    this.kinds = List.copyOf(kinds);
    this.random = new Random(seed);
  }

  /** The next fault. */
  public Step next() {
    if (round.isEmpty()) {
      List<FaultKind> order = new ArrayList<>(kinds);
      Collections.shuffle(order, random);
      round.addAll(order);
    }
    number++;
    Step.Role role = random.nextInt(3) < 2 ? Step.Role.LEADER : Step.Role.FOLLOWER;
    Duration hold = Duration.ofMillis(HOLD_MIN_MILLIS + random.nextInt(HOLD_SPREAD_MILLIS));
    return new Step(number, round.removeFirst(), role, hold, random.nextLong());
  }
}
