package io.tidemark.raftcore.membership;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.statemachine.member.MemberChange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * Waits until the configuration has followed a change that was applied: whoever is told that a
 * member is removed may stop it at once, and that must not cost the rest their majority.
 *
 * <p>Judged on the timer thread, where steps begin too: so no step of an older table, which might
 * still add the member that was removed, goes unseen. At most one waiter for each unanswered
 * request.
 */
public final class ChangesInForce {
  private final Group group;
  private final BooleanSupplier gone;
  private final long self;
  private final BooleanSupplier stepping;
  private final Executor timer;
  private final Executor completions;

  @GuardedBy("this")
  private final List<Waiter> waiters = new ArrayList<>();

  private record Waiter(
      MemberChange change, long deadlineNanos, CompletableFuture<Boolean> future) {}

  /**
   * One without waiters.
   *
   * @param stepping whether this member is just changing the configuration
   * @param gone whether this member itself has left the configuration
   * @param timer the thread that calls {@link #tick}
   * @param completions runs what hangs on the futures
   */
  public ChangesInForce(
      long self,
      Group group,
      BooleanSupplier stepping,
      BooleanSupplier gone,
      Executor timer,
      Executor completions) {
    this.self = self;
    this.group = group;
    this.stepping = stepping;
    this.gone = gone;
    this.timer = timer;
    this.completions = completions;
  }

  /** Completes with true once the change is in force, with false at the deadline. */
  public CompletableFuture<Boolean> await(MemberChange change, long deadlineNanos) {
    if (change instanceof MemberChange.Add || change instanceof MemberChange.Update) {
      return CompletableFuture.completedFuture(true); // in force where it was applied
    }
    Waiter waiter = new Waiter(change, deadlineNanos, new CompletableFuture<>());
    synchronized (this) {
      waiters.add(waiter);
    }
    timer.execute(this::tick);
    return waiter.future();
  }

  /** Ends the waits that are over. Thread: timer. */
  public void tick() {
    List<Waiter> all;
    synchronized (this) {
      all = List.copyOf(waiters);
    }
    long now = System.nanoTime();
    for (Waiter waiter : all) {
      boolean well = inForce(waiter.change());
      if (well || now - waiter.deadlineNanos() > 0) {
        end(waiter, well);
      }
    }
  }

  /** Ends all waits. */
  public void close() {
    List<Waiter> all;
    synchronized (this) {
      all = List.copyOf(waiters);
    }
    all.forEach(waiter -> end(waiter, inForce(waiter.change())));
  }

  private void end(Waiter waiter, boolean well) {
    synchronized (this) {
      waiters.remove(waiter);
    }
    completions.execute(() -> waiter.future().complete(well));
  }

  private boolean inForce(MemberChange change) {
    return change.on(
        new MemberChange.Cases<>() {
          @Override
          public Boolean add(MemberChange.Add add) {
            return true; // it may start whenever it likes
          }

          @Override
          public Boolean remove(MemberChange.Remove remove) {
            Composition now = group.composition();
            boolean out = now.settled() && !now.contains(remove.id()) && !stepping.getAsBoolean();
            return out || (remove.id() == self && gone.getAsBoolean());
          }

          @Override
          public Boolean update(MemberChange.Update update) {
            return true; // it took effect where it was applied
          }

          @Override
          public Boolean promote(MemberChange.Promote promote) {
            Composition now = group.composition();
            return now.settled() && now.voters().contains(promote.id());
          }
        });
  }
}
