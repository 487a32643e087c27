package io.tidemark.it.proxy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One direction of a link. Closed, it holds bytes back as a network that drops packets does: they
 * arrive after it opens again, in order. Open, each chunk waits for its delay; one that is lost
 * waits for its retransmission, and those behind it with it. Any thread.
 */
final class Gate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private boolean open = true;

  @GuardedBy("lock")
  private long delayNanos;

  /** Chance of a chunk to be lost, and after how long it is sent again. */
  @GuardedBy("lock")
  private double loss;

  @GuardedBy("lock")
  private long resendNanos;

  @GuardedBy("lock")
  private Random dice = new Random(0);

  @GuardedBy("lock")
  private long touched;

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

  /** From now on chunks are lost by chance; 0 ends it. */
  void lose(double chance, Duration resend, long seed) {
    lock.lock();
    try {
      loss = chance;
      resendNanos = resend.toNanos();
      dice = new Random(seed);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many chunks did not pass at once so far: held back, delayed or lost. */
  long touched() {
    lock.lock();
    try {
      return touched;
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
      long resend = loss > 0 && dice.nextDouble() < loss ? resendNanos : 0;
      boolean counted = false;
      while (!ended) {
        long wait = readNanos + Math.max(delayNanos, loss > 0 ? resend : 0) - System.nanoTime();
        if (open && wait <= 0) {
          return;
        }
        touched += counted ? 0 : 1;
        counted = true;
        if (open) {
          changed.awaitNanos(wait);
        } else {
          changed.await();
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
