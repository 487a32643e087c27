package io.tidemark.mvcc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Consumer;
import org.rocksdb.CompactRangeOptions;

/**
 * Hands the space of removed rows back to the file system, which may take long and which nothing
 * waits for. Owner of thread {@code tidemark-<member>-reclaim}.
 *
 * <p>Only the newest wish counts: one that comes while a run is under way replaces an earlier one.
 */
final class Reclaimer implements AutoCloseable {
  private final Engine engine;
  private final Consumer<RuntimeException> faults;
  private final Thread thread;
  private final CompactRangeOptions how = new CompactRangeOptions();
  private final Object lock = new Object();

  @GuardedBy("lock")
  private long wanted;

  @GuardedBy("lock")
  private boolean stopped;

  Reclaimer(Engine engine, String member, Consumer<RuntimeException> faults) {
    this.engine = engine;
    this.faults = faults;
    this.how.setExclusiveManualCompaction(false);
    this.thread = new Thread(this::run, "tidemark-" + member + "-reclaim");
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Asks for the space of everything that the compaction up to {@code swept} removed. */
  void reclaim(long swept) {
    synchronized (lock) {
      wanted = swept;
      lock.notifyAll();
    }
  }

  private void run() {
    try {
      long done = 0;
      for (long next = awaitWish(done); next > done; next = awaitWish(done)) {
        handBack();
        done = next;
      }
    } catch (RuntimeException e) {
      faults.accept(e);
    }
  }

  /** The next wish, or {@code done} when it is time to stop. */
  private long awaitWish(long done) {
    synchronized (lock) {
      while (!stopped && wanted <= done) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return done;
        }
      }
      return stopped ? done : wanted;
    }
  }

  /**
   * Rewrites the files without what was removed. Dropping the files of the range at once would be
   * quicker, but takes no notice of snapshots: an older view would show history with holes.
   */
  private void handBack() {
    engine.flush();
    engine.compactFiles(Family.REV, how);
    engine.compactFiles(Family.HIST, how);
    engine.compactFiles(Family.COUNT, how);
  }

  /** Cancels the run that is under way and waits for its end. */
  @Override
  public void close() {
    synchronized (lock) {
      stopped = true;
      lock.notifyAll();
    }
    how.setCanceled(true);
    Threads.join(thread);
    how.close();
  }
}
