package io.tidemark.mvcc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Removes in the background what compaction made unreadable, in slices, each one written with the
 * place where the next one goes on.
 *
 * <p>Owner of the sweep state and of thread {@code tidemark-<member>-sweep}. It only removes rows
 * that no revision at or above the compact revision can see, so it needs no coordination with the
 * apply thread, which never touches those.
 */
final class Sweeper implements AutoCloseable {
  private final Reclaimer reclaimer;
  private final SweepSlice slices;
  private final MvccLimits limits;
  private final Consumer<RuntimeException> faults;
  private final Thread thread;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final NavigableMap<Long, CompletableFuture<Void>> waiting = new TreeMap<>();

  @GuardedBy("lock")
  private long wanted;

  @GuardedBy("lock")
  private boolean stopped;

  private volatile SweepState state;
  private long reclaimedBytes;

  Sweeper(
      Engine engine,
      MvccLimits limits,
      SweepState state,
      String member,
      Consumer<RuntimeException> faults) {
    this.reclaimer = new Reclaimer(engine, member, faults);
    this.limits = limits;
    this.slices = new SweepSlice(engine, limits.sliceRows());
    this.state = state;
    this.faults = faults;
    this.reclaimedBytes = state.removedBytes();
    this.thread = new Thread(this::run, "tidemark-" + member + "-sweep");
    this.thread.setDaemon(true);
  }

  void start(long compactRevision) {
    compacted(compactRevision);
    thread.start();
    reclaimer.start();
  }

  SweepState state() {
    return state;
  }

  /** The compact revision is now {@code revision}. Thread: apply. */
  void compacted(long revision) {
    synchronized (lock) {
      wanted = Math.max(wanted, revision);
      lock.notifyAll();
    }
  }

  /** Completes on the sweep thread when everything up to {@code revision} is removed. */
  CompletableFuture<Void> swept(long revision) {
    synchronized (lock) {
      if (state.swept() >= revision) {
        return CompletableFuture.completedFuture(null);
      }
      if (stopped) {
        return CompletableFuture.failedFuture(new CancellationException("the store is closed"));
      }
      return waiting.computeIfAbsent(revision, ignored -> new CompletableFuture<>()).copy();
    }
  }

  private void run() {
    try {
      while (awaitWork()) {
        runSlice();
      }
    } catch (RuntimeException e) {
      faults.accept(e);
    }
  }

  private boolean awaitWork() {
    synchronized (lock) {
      while (!stopped && !state.underWay() && wanted <= state.swept()) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
      if (!stopped && !state.underWay()) {
        state = state.begin(wanted);
      }
      return !stopped;
    }
  }

  private void runSlice() {
    SweepState next = slices.run(state);
    List<CompletableFuture<Void>> finished;
    synchronized (lock) {
      state = next;
      Map<Long, CompletableFuture<Void>> reached = waiting.headMap(next.swept(), true);
      finished = new ArrayList<>(reached.values());
      reached.clear();
    }
    finished.forEach(future -> future.complete(null));
    if (!next.underWay() && next.removedBytes() - reclaimedBytes >= limits.reclaimBytes()) {
      reclaimer.reclaim(next.swept());
      reclaimedBytes = next.removedBytes();
    }
  }

  /** Stops after the slice that is running. Blocks for that. */
  @Override
  public void close() {
    List<CompletableFuture<Void>> abandoned;
    synchronized (lock) {
      stopped = true;
      abandoned = new ArrayList<>(waiting.values());
      waiting.clear();
      lock.notifyAll();
    }
    Threads.join(thread);
    reclaimer.close();
    abandoned.forEach(
        future -> future.completeExceptionally(new CancellationException("the store is closed")));
  }
}
