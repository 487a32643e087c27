package io.tidemark.raftcore.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;

/**
 * The index up to which this member's store is readable, and those who wait for more.
 *
 * <p>Advanced on the apply thread in O(1) when nobody waits for what was reached. Actions run on
 * the completion executor, or at once on the caller when the index was reached before. Thread-safe.
 */
public final class AppliedIndex {
  private final Executor completions;
  private volatile long applied;
  private volatile long lowestWanted = Long.MAX_VALUE;

  @GuardedBy("this")
  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();

  /** Starts at the store's position. */
  public AppliedIndex(long applied, Executor completions) {
    this.applied = applied;
    this.completions = completions;
  }

  /** The highest readable index. */
  public long get() {
    return applied;
  }

  /** Everything up to {@code index} is readable. Thread: apply. */
  public void advance(long index) {
    applied = index;
    if (lowestWanted <= index) {
      completions.execute(this::runReached);
    }
  }

  /** Runs the action once everything up to {@code index} is readable. It must not block. */
  public void whenReached(long index, Runnable action) {
    boolean reached;
    synchronized (this) {
      reached = applied >= index;
      if (!reached) {
        waiters.add(new Waiter(index, action));
        lowestWanted = Math.min(lowestWanted, index);
      }
    }
    if (reached) {
      action.run();
    } else if (applied >= index) {
      runReached(); // an advance may have passed by before it could see the waiter
    }
  }

  private void runReached() {
    List<Runnable> reached = new ArrayList<>();
    synchronized (this) {
      long now = applied;
      for (Waiter head = waiters.peek(); head != null && head.index <= now; ) {
        reached.add(waiters.remove().action);
        head = waiters.peek();
      }
      Waiter head = waiters.peek();
      lowestWanted = head == null ? Long.MAX_VALUE : head.index;
    }
    reached.forEach(Runnable::run);
  }

  private record Waiter(long index, Runnable action) implements Comparable<Waiter> {
    @Override
    public int compareTo(Waiter other) {
      return Long.compare(index, other.index);
    }
  }
}
