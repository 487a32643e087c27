package io.tidemark.raftcore.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The leader's side of the read barrier: an index is given out only after a majority has answered,
 * in the leader's term, a request that was made after the round began.
 *
 * <p>One round is in flight and one is forming; everybody who asks while a round is in flight
 * shares the forming one. No clock is involved, so a leader that slept or was cut off gives out
 * nothing. Thread-safe; never blocks; futures complete on the caller's or on Ratis's reply thread.
 */
public final class ReadIndexRounds {
  private final Leadership leadership;

  @GuardedBy("this")
  private @Nullable Round current;

  @GuardedBy("this")
  private @Nullable CompletableFuture<Long> forming;

  /** Rounds about the given leadership. */
  public ReadIndexRounds(Leadership leadership) {
    this.leadership = leadership;
  }

  /**
   * Asks for an index.
   *
   * @return the index, or a {@link NotLeadingException}
   */
  public CompletableFuture<Long> request() {
    Settled settled = new Settled();
    CompletableFuture<Long> future;
    synchronized (this) {
      if (current != null) {
        if (forming == null) {
          forming = new CompletableFuture<>();
        }
        return forming;
      }
      future = new CompletableFuture<>();
      begin(future, settled);
    }
    settled.run();
    return future;
  }

  /** A reply came in on a line. */
  public void onReply(Follower follower, boolean success, long term, long callId) {
    Settled settled = new Settled();
    synchronized (this) {
      Round round = current;
      if (round == null) {
        return;
      }
      Long first = round.firstCallIds.get(follower);
      if (first == null || !success || term != round.term) {
        return;
      }
      if (callId - first < 0) {
        // Sending that request may have eaten our trigger.
        follower.trigger();
        return;
      }
      if (round.acknowledged.add(follower.id())) {
        finishIfConfirmed(round, settled);
      }
    }
    settled.run();
  }

  /** A line was opened, or replaced inside this term. */
  public void onFollower(Follower follower) {
    synchronized (this) {
      Round round = current;
      if (round == null) {
        return;
      }
      round.firstCallIds.put(follower, follower.nextCallId());
    }
    follower.trigger();
  }

  /** This member no longer leads, or no longer knows. */
  public void onLeadershipLost() {
    Settled settled = new Settled();
    synchronized (this) {
      failAll(settled);
    }
    settled.run();
  }

  /**
   * Called now and then: triggers lines that haven't answered, gives up when leadership is gone.
   */
  public void tick() {
    Settled settled = new Settled();
    List<Follower> silent = new ArrayList<>();
    synchronized (this) {
      Round round = current;
      if (round == null) {
        return;
      }
      if (!leadership.ready() || leadership.term() != round.term) {
        failAll(settled);
      } else {
        finishIfConfirmed(round, settled);
        for (Follower follower : round.firstCallIds.keySet()) {
          if (!round.acknowledged.contains(follower.id())) {
            silent.add(follower);
          }
        }
      }
    }
    settled.run();
    silent.forEach(Follower::trigger);
  }

  @GuardedBy("this")
  private void begin(CompletableFuture<Long> future, Settled settled) {
    long term = leadership.term();
    if (!leadership.ready()) {
      settled.fail(future);
      return;
    }
    Round round = new Round(future, term, leadership.committed());
    List<Follower> followers = leadership.followers();
    for (Follower follower : followers) {
      round.firstCallIds.put(follower, follower.nextCallId());
    }
    current = round;
    if (!finishIfConfirmed(round, settled)) {
      followers.forEach(Follower::trigger);
    }
  }

  @GuardedBy("this")
  private boolean finishIfConfirmed(Round round, Settled settled) {
    if (!leadership.majority(round.acknowledged::contains)) {
      return false;
    }
    current = null;
    if (leadership.ready() && leadership.term() == round.term) {
      settled.pass(round.future, round.index);
    } else {
      settled.fail(round.future);
    }
    CompletableFuture<Long> next = forming;
    forming = null;
    if (next != null) {
      begin(next, settled);
    }
    return true;
  }

  @GuardedBy("this")
  private void failAll(Settled settled) {
    if (current != null) {
      settled.fail(current.future);
    }
    if (forming != null) {
      settled.fail(forming);
    }
    current = null;
    forming = null;
  }

  private static final class Round {
    final CompletableFuture<Long> future;
    final long term;
    final long index;
    final IdentityHashMap<Follower, Long> firstCallIds = new IdentityHashMap<>();
    final Set<String> acknowledged = new HashSet<>();

    Round(CompletableFuture<Long> future, long term, long index) {
      this.future = future;
      this.term = term;
      this.index = index;
    }
  }

  /** Futures to complete once the lock is released. */
  private static final class Settled {
    private final List<Runnable> actions = new ArrayList<>(2);

    void pass(CompletableFuture<Long> future, long index) {
      actions.add(() -> future.complete(index));
    }

    void fail(CompletableFuture<Long> future) {
      actions.add(() -> future.completeExceptionally(new NotLeadingException()));
    }

    void run() {
      actions.forEach(Runnable::run);
    }
  }
}
