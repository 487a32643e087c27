package io.tidemark.raftcore.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.api.errors.EtcdError;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The member's side of the read barrier: all that wait share the next question for an index, then
 * wait for this member's apply.
 *
 * <p>One question is out and one group is forming, so a barrier's question always leaves after the
 * barrier was asked for. A question that fails is asked again at the next leader event or tick,
 * until the deadline of those who wait. Thread-safe; never blocks.
 */
public final class ReadBarriers {
  /** As in etcd, which asks anew after so long. */
  private static final long SLOW_NANOS = 500_000_000;

  private final IndexSource source;
  private final AppliedIndex applied;
  private final long timeoutNanos;
  private final Executor completions;
  private final LongAdder slow = new LongAdder();
  private final LongAdder failed = new LongAdder();

  @GuardedBy("this")
  private List<Waiter> forming = new ArrayList<>();

  @GuardedBy("this")
  private final Deque<Waiter> byDeadline = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean asking;

  /** The last question failed: no use asking before something changes. */
  @GuardedBy("this")
  private boolean resting;

  @GuardedBy("this")
  private @Nullable EtcdError closedWith;

  /** Barriers that last at most {@code timeout}. */
  public ReadBarriers(
      IndexSource source, AppliedIndex applied, Duration timeout, Executor completions) {
    this.source = source;
    this.applied = applied;
    this.timeoutNanos = timeout.toNanos();
    this.completions = completions;
  }

  /** Asks for a barrier. The future never completes exceptionally. */
  public CompletableFuture<BarrierResult> request() {
    Waiter waiter = new Waiter(System.nanoTime() + timeoutNanos);
    synchronized (this) {
      if (closedWith != null) {
        return CompletableFuture.completedFuture(new BarrierResult.Failed(closedWith));
      }
      forming.add(waiter);
      byDeadline.add(waiter);
    }
    ask(false);
    return waiter.future;
  }

  /** A leader came or became ready. */
  public void onLeaderEvent() {
    ask(true);
  }

  /** Called several times a second: ends what is overdue, asks again what failed. */
  public void tick() {
    long now = System.nanoTime();
    List<Waiter> overdue = new ArrayList<>();
    synchronized (this) {
      for (Waiter head = byDeadline.peek();
          head != null && (head.future.isDone() || head.deadlineNanos - now <= 0);
          head = byDeadline.peek()) {
        overdue.add(byDeadline.remove());
      }
      forming.removeIf(w -> w.future.isDone() || w.deadlineNanos - now <= 0);
    }
    fail(overdue, EtcdError.TIMEOUT);
    ask(true);
  }

  /** Fails all that wait and all that come. */
  public void close() {
    List<Waiter> all;
    synchronized (this) {
      closedWith = EtcdError.STOPPED;
      all = List.copyOf(byDeadline);
      byDeadline.clear();
      forming.clear();
    }
    fail(all, EtcdError.STOPPED);
  }

  /** Questions that took longer than half a second to be answered, since the start. */
  public long slow() {
    return slow.sum();
  }

  /** Barriers that ended without having passed, since the start. */
  public long failed() {
    return failed.sum();
  }

  private void ask(boolean somethingChanged) {
    List<Waiter> group;
    synchronized (this) {
      resting = resting && !somethingChanged;
      if (asking || resting || forming.isEmpty()) {
        return;
      }
      group = forming;
      forming = new ArrayList<>();
      asking = true;
    }
    long asked = System.nanoTime();
    var unused =
        source
            .ask()
            .whenComplete(
                (index, failure) -> {
                  if (System.nanoTime() - asked > SLOW_NANOS) {
                    slow.increment();
                  }
                  onAnswer(group, index, failure);
                });
  }

  private void onAnswer(List<Waiter> group, @Nullable Long index, @Nullable Throwable failure) {
    boolean answered = index != null && failure == null;
    synchronized (this) {
      asking = false;
      resting = !answered;
      if (!answered) {
        group.removeIf(w -> w.future.isDone());
        group.addAll(forming);
        forming = group;
      }
    }
    if (index == null || failure != null) {
      return; // asked again at the next event or tick
    }
    BarrierResult passed = new BarrierResult.Passed(index);
    applied.whenReached(
        index, () -> completions.execute(() -> group.forEach(w -> w.future.complete(passed))));
    ask(false);
  }

  private void fail(List<Waiter> waiters, EtcdError error) {
    if (!waiters.isEmpty()) {
      failed.add(waiters.stream().filter(w -> !w.future.isDone()).count());
      completions.execute(
          () -> waiters.forEach(w -> w.future.complete(new BarrierResult.Failed(error))));
    }
  }

  private static final class Waiter {
    final CompletableFuture<BarrierResult> future = new CompletableFuture<>();
    final long deadlineNanos;

    Waiter(long deadlineNanos) {
      this.deadlineNanos = deadlineNanos;
    }
  }
}
