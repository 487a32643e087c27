package io.tidemark.it.proxy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One direction of a link. Closed, it holds bytes back as a network that drops packets does: they
 * arrive after it opens again, in order. Open, each chunk waits for its delay. Any thread.
 */
final class Gate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private boolean open = true;

  @GuardedBy("lock")
  private long delayNanos;

  @GuardedBy("lock")
  private boolean ended;

  void open(boolean value) {
    lock.lock();
    try {
      open = value;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void delay(Duration delay) {
    lock.lock();
    try {
      delayNanos = delay.toNanos();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Blocks until a chunk that was read at {@code readNanos} may go on. */
  void pass(long readNanos) throws InterruptedException {
    lock.lock();
    try {
      while (!ended) {
        long wait = readNanos + delayNanos - System.nanoTime();
        if (!open) {
          changed.await();
        } else if (delayNanos > 0 && wait > 0) {
          changed.awaitNanos(wait);
        } else {
          return;
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
