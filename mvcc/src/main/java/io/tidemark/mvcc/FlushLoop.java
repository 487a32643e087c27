package io.tidemark.mvcc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Consumer;

/**
 * Flushes the engine in the background after so many bytes or commands, so that a restart never has
 * much to replay. Owner of thread {@code tidemark-<member>-flush}.
 */
final class FlushLoop implements AutoCloseable {
  private final Engine engine;
  private final MvccLimits limits;
  private final Consumer<RuntimeException> faults;
  private final Thread thread;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private long bytes;

  @GuardedBy("lock")
  private long commands;

  @GuardedBy("lock")
  private long finished;

  @GuardedBy("lock")
  private boolean stopped;

  FlushLoop(Engine engine, MvccLimits limits, String member, Consumer<RuntimeException> faults) {
    this.engine = engine;
    this.limits = limits;
    this.faults = faults;
    this.thread = new Thread(this::run, "tidemark-" + member + "-flush");
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Accounts for a written entry. Thread: apply; never blocks. */
  void written(long entryBytes, int entryCommands) {
    synchronized (lock) {
      bytes += entryBytes;
      commands += entryCommands;
      if (due()) {
        lock.notifyAll();
      }
    }
  }

  /** Someone is about to flush: counting starts anew. */
  void restart() {
    synchronized (lock) {
      bytes = 0;
      commands = 0;
    }
  }

  @GuardedBy("lock")
  private boolean due() {
    return bytes >= limits.flushBytes() || commands >= limits.flushCommands();
  }

  /** For tests: blocks until this loop has finished so many flushes. */
  void awaitFlushes(long count) throws InterruptedException {
    synchronized (lock) {
      while (finished < count) {
        lock.wait();
      }
    }
  }

  private void run() {
    try {
      while (awaitDue()) {
        restart();
        engine.flush();
        synchronized (lock) {
          finished++;
          lock.notifyAll();
        }
      }
    } catch (RuntimeException e) {
      faults.accept(e);
    }
  }

  private boolean awaitDue() {
    synchronized (lock) {
      while (!stopped && !due()) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
      return !stopped;
    }
  }

  /** Stops after the flush that is running. Blocks for that. */
  @Override
  public void close() {
    synchronized (lock) {
      stopped = true;
      lock.notifyAll();
    }
    Threads.join(thread);
  }
}
