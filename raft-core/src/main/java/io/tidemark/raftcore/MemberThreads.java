package io.tidemark.raftcore;

import io.tidemark.raftcore.lease.LeaseThread;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member's own threads, one per role.
 *
 * <p>{@code complete} completes callers, in order: its queue holds at most one task per caller or
 * applied entry that somebody waits for. {@code timer} ticks and reacts to leader events; nothing
 * on it blocks. {@code lease} owns the {@link io.tidemark.raftcore.lease.LeaseKeeper}: its queue
 * holds at most one task per applied entry that grants, and three more. {@code background} does
 * what may take long, one thing at a time. {@code digest} hashes the store in slices: its queue
 * holds one task.
 */
final class MemberThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemberThreads.class);

  /** Far above what the proposer's byte bound lets wait; reached only if callers are stuck. */
  private static final int QUEUE_MAX = 1 << 16;

  private static final RejectedExecutionHandler FULL_OR_CLOSED = MemberThreads::fullOrClosed;

  final ExecutorService complete;
  final ScheduledThreadPoolExecutor timer;
  final ExecutorService background;
  final ScheduledThreadPoolExecutor lease;
  final ScheduledThreadPoolExecutor digest;

  MemberThreads(String member) {
    this.complete = single(named(member, "complete"));
    this.timer =
        new ScheduledThreadPoolExecutor(
            1, named(member, "timer"), new ThreadPoolExecutor.DiscardPolicy());
    this.timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.lease =
        new ScheduledThreadPoolExecutor(
            1, named(member, "lease"), new ThreadPoolExecutor.DiscardPolicy());
    this.lease.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.digest =
        new ScheduledThreadPoolExecutor(
            1, named(member, "digest"), new ThreadPoolExecutor.DiscardPolicy());
    this.background = single(named(member, "background"));
  }

  /** Runs a task again and again until close. A throw is a defect: logged, and tried again. */
  void every(long millis, Runnable task) {
    every(timer, millis, task);
  }

  /** As above, on the lease thread. */
  void everyForLeases(long millis, Runnable task) {
    every(lease, millis, task);
  }

  /** The lease thread as its owner sees it. A throw is a defect: logged. */
  LeaseThread leaseThread() {
    return new LeaseThread() {
      @Override
      public void execute(Runnable task) {
        lease.execute(() -> guarded(task));
      }

      @Override
      public void schedule(Runnable task, long nanos) {
        var unused = lease.schedule(() -> guarded(task), nanos, TimeUnit.NANOSECONDS);
      }
    };
  }

  private static void every(ScheduledExecutorService thread, long millis, Runnable task) {
    var unused =
        thread.scheduleWithFixedDelay(() -> guarded(task), millis, millis, TimeUnit.MILLISECONDS);
  }

  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.warn("tick failed", e);
    }
  }

  /** Runs a task soon, unless the member has stopped by then. */
  void later(Runnable task) {
    var unused = timer.schedule(task, 200, TimeUnit.MILLISECONDS);
  }

  /** Ends the threads once they have done what is queued; waits a little for the background. */
  @Override
  public void close() {
    timer.shutdownNow();
    lease.shutdownNow();
    digest.shutdown(); // what waits there lets go of its view
    background.shutdown();
    try {
      if (!background.awaitTermination(5, TimeUnit.SECONDS)) {
        background.shutdownNow();
      }
    } catch (InterruptedException e) {
      background.shutdownNow();
      Thread.currentThread().interrupt();
    }
    complete.shutdown();
  }

  private static ExecutorService single(ThreadFactory factory) {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(QUEUE_MAX),
            factory,
            FULL_OR_CLOSED);
    return Executors.unconfigurableExecutorService(executor);
  }

  /**
   * A full queue pushes back: the submitter runs the oldest task in its place and tries again.
   * After close only late answers come in, whose callers were told already: dropped.
   */
  private static void fullOrClosed(Runnable task, ThreadPoolExecutor executor) {
    while (!executor.isShutdown() && !executor.getQueue().offer(task)) {
      Runnable oldest = executor.getQueue().poll();
      if (oldest != null) {
        oldest.run();
      }
    }
  }

  private static ThreadFactory named(String member, String role) {
    return task -> {
      Thread thread = new Thread(task, "tidemark-" + member + "-" + role);
      thread.setDaemon(true);
      return thread;
    };
  }
}
