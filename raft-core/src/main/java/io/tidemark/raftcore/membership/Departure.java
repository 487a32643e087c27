package io.tidemark.raftcore.membership;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Finds out when a removed member may go: when the configuration is rid of it. Before that its vote
 * may be needed to remove it.
 *
 * <p>A member that was down when it was removed hears of it from nobody; when it has known no
 * leader for a while, it asks the others. Thread: one, given at construction; {@link #gone} any.
 */
public final class Departure {
  /** Time for the last answers to reach their callers, as etcd takes it. */
  private static final long FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** What another member says of this one. */
  public enum Word {
    /** It belongs to the cluster, or the other one can't tell. */
    STAYS,
    /** It was removed, and is still in the configuration. */
    LEAVING,
    /** It was removed, and the configuration has done without it since. */
    GONE
  }

  private final long self;
  private final Group group;
  private final Supplier<List<Long>> others;
  private final LongFunction<CompletableFuture<Word>> ask;
  private final BooleanSupplier leaderless;
  private final long patienceNanos;
  private final Executor thread;
  private final Runnable leave;

  private volatile boolean gone;
  private volatile boolean removed;
  private long leaderlessSinceNanos = -1;
  private long askedNanos;
  private long goneNanos;
  private boolean left;

  /** How a member asks and goes. */
  public record Ways(
      Supplier<List<Long>> others,
      LongFunction<CompletableFuture<Word>> ask,
      BooleanSupplier leaderless,
      Runnable leave) {}

  /**
   * One that knows of nothing.
   *
   * @param patienceNanos how long this member may know no leader before it asks
   * @param thread the one that owns this object
   */
  public Departure(long self, Group group, Ways ways, long patienceNanos, Executor thread) {
    this.self = self;
    this.group = group;
    this.others = ways.others();
    this.ask = ways.ask();
    this.leaderless = ways.leaderless();
    this.leave = ways.leave();
    this.patienceNanos = patienceNanos;
    this.thread = thread;
    this.askedNanos = System.nanoTime();
  }

  /** This member's own table says that it was removed. Any thread. */
  public void removed() {
    removed = true;
  }

  /** Whether this member was removed, as far as it knows. */
  public boolean isRemoved() {
    return removed;
  }

  /** Whether the configuration is rid of this member. */
  public boolean gone() {
    return gone;
  }

  /** Looks whether it is time to go. */
  public void tick() {
    long now = System.nanoTime();
    if (gone) {
      if (!left && now - goneNanos >= FAREWELL_NANOS) {
        left = true;
        leave.run();
      }
      return;
    }
    if (removed) {
      Composition composition = group.composition();
      if (composition.settled() && !composition.contains(self)) {
        go();
        return;
      }
    }
    if ((removed || lost(now)) && now - askedNanos >= ASK_NANOS) {
      askedNanos = now;
      for (long other : others.get()) {
        var unused = ask.apply(other).thenAcceptAsync(this::heard, thread);
      }
    }
  }

  /**
   * The group was closed under this member. Completes with whether that is because it left. Thread:
   * the owner.
   */
  public CompletableFuture<Boolean> closed() {
    if (removed) {
      thread.execute(this::go);
      return CompletableFuture.completedFuture(true);
    }
    List<CompletableFuture<Void>> asked =
        others.get().stream()
            .map(other -> ask.apply(other).thenAcceptAsync(this::heard, thread))
            .toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              if (removed) {
                go();
              }
              return removed;
            });
  }

  private void heard(Word word) {
    if (word != Word.STAYS) {
      removed = true;
    }
    if (word == Word.GONE) {
      go();
    }
  }

  private void go() {
    if (!gone) {
      gone = true;
      goneNanos = System.nanoTime();
    }
  }

  private boolean lost(long now) {
    if (!leaderless.getAsBoolean()) {
      leaderlessSinceNanos = -1;
      return false;
    }
    if (leaderlessSinceNanos == -1) {
      leaderlessSinceNanos = now;
    }
    return now - leaderlessSinceNanos >= patienceNanos;
  }
}
