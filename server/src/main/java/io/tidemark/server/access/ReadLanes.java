package io.tidemark.server.access;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that read from the store. Reads block on disk, so they never run on an event loop.
 * Long ones have a lane of their own, so that short ones don't wait behind them.
 *
 * <p>Both queues are bounded by count; when one is full the read is refused with {@link
 * RejectedExecutionException}, which callers report as "too many requests".
 */
public final class ReadLanes implements AutoCloseable {
  private static final int QUICK_WAITING_MAX = 20_000;
  private static final int LONG_WAITING_MAX = 2_000;
  private static final long STOP_SECONDS = 2;

  private final ThreadPoolExecutor quick;
  private final ThreadPoolExecutor scans;

  public ReadLanes(String member) {
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
    quick = lane(threads, QUICK_WAITING_MAX, "tidemark-" + member + "-read-");
    scans = lane(threads, LONG_WAITING_MAX, "tidemark-" + member + "-scan-");
  }

  /** For reads of a bounded, small number of keys. */
  public Executor quick() {
    return quick;
  }

  /** For everything else. */
  public Executor scans() {
    return scans;
  }

  /** Waits for running reads, two seconds at most; those that wait are dropped. */
  @Override
  public void close() {
    quick.shutdownNow();
    scans.shutdownNow();
    try {
      quick.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
      scans.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ThreadPoolExecutor lane(int threads, int waitingMax, String name) {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        threads,
        threads,
        0,
        TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(waitingMax),
        task -> {
          Thread thread = new Thread(task, name + number.getAndIncrement());
          thread.setDaemon(true);
          return thread;
        });
  }
}
