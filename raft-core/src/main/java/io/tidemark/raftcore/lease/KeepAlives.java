package io.tidemark.raftcore.lease;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.api.errors.EtcdError;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The member's side of renewals: all that wait share the next question to the leader.
 *
 * <p>One question is out and one group is forming. A question that fails is asked again at the next
 * leader event or tick, until the deadline of those who wait. Bound: requests; policy: refuse with
 * "too many requests". Thread-safe; never blocks.
 */
public final class KeepAlives {
  private static final int WAITING_MAX = 1 << 18;
  private static final int QUESTION_LEASES = 2048;

  private final RenewalSource source;
  private final BooleanSupplier hasLeader;
  private final long timeoutNanos;
  private final Executor completions;

  @GuardedBy("this")
  private final Deque<Waiter> forming = new ArrayDeque<>();

  @GuardedBy("this")
  private final Deque<Waiter> byDeadline = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean asking;

  /** The last question failed: no use asking before something changes. */
  @GuardedBy("this")
  private boolean resting;

  @GuardedBy("this")
  private @Nullable EtcdError closedWith;

  /** Requests that last at most {@code timeout}. */
  public KeepAlives(
      RenewalSource source, BooleanSupplier hasLeader, Duration timeout, Executor completions) {
    this.source = source;
    this.hasLeader = hasLeader;
    this.timeoutNanos = timeout.toNanos();
    this.completions = completions;
  }

  /** Renews a lease. The future never completes exceptionally. */
  public CompletableFuture<KeepAliveResult> request(long id) {
    Waiter waiter = new Waiter(id, System.nanoTime() + timeoutNanos);
    synchronized (this) {
      EtcdError refusal =
          byDeadline.size() >= WAITING_MAX ? EtcdError.TOO_MANY_REQUESTS : closedWith;
      if (refusal != null) {
        return CompletableFuture.completedFuture(new KeepAliveResult.Failed(refusal));
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
      if (!overdue.isEmpty()) {
        forming.removeIf(w -> w.future.isDone() || w.deadlineNanos - now <= 0);
      }
    }
    fail(overdue, hasLeader.getAsBoolean() ? EtcdError.TIMEOUT : EtcdError.NO_LEADER);
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

  private void ask(boolean somethingChanged) {
    List<Waiter> group = new ArrayList<>();
    synchronized (this) {
      resting = resting && !somethingChanged;
      if (asking || resting || forming.isEmpty()) {
        return;
      }
      while (!forming.isEmpty() && group.size() < QUESTION_LEASES) {
        group.add(forming.remove());
      }
      asking = true;
    }
    long[] ids = group.stream().mapToLong(w -> w.id).toArray();
    var unused = source.renew(ids).whenComplete((ttls, failure) -> onAnswer(group, ttls, failure));
  }

  private void onAnswer(List<Waiter> group, long @Nullable [] ttls, @Nullable Throwable failure) {
    boolean answered = ttls != null && ttls.length == group.size() && failure == null;
    synchronized (this) {
      asking = false;
      resting = !answered;
      if (!answered) {
        // Back to the front, in order.
        for (int i = group.size() - 1; i >= 0; i--) {
          if (!group.get(i).future.isDone()) {
            forming.addFirst(group.get(i));
          }
        }
      }
    }
    if (!answered || ttls == null) {
      return; // asked again at the next event or tick
    }
    completions.execute(
        () -> {
          for (int i = 0; i < ttls.length; i++) {
            group.get(i).future.complete(new KeepAliveResult.Renewed(ttls[i]));
          }
        });
    ask(false);
  }

  private void fail(List<Waiter> waiters, EtcdError error) {
    List<Waiter> open = waiters.stream().filter(w -> !w.future.isDone()).toList();
    if (!open.isEmpty()) {
      completions.execute(
          () -> open.forEach(w -> w.future.complete(new KeepAliveResult.Failed(error))));
    }
  }

  private static final class Waiter {
    final long id;
    final CompletableFuture<KeepAliveResult> future = new CompletableFuture<>();
    final long deadlineNanos;

    Waiter(long id, long deadlineNanos) {
      this.id = id;
      this.deadlineNanos = deadlineNanos;
    }
  }
}
