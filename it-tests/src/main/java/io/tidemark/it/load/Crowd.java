package io.tidemark.it.load;

import io.tidemark.it.process.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** Threads that do one thing again and again until they are told to stop. */
final class Crowd implements AutoCloseable {
  private static final Duration LAST_TURN = Duration.ofSeconds(60);

  /** One turn of one thread. */
  interface Turn {
    void take(int who, Random random) throws InterruptedException;
  }

  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;
  private volatile String failure = "";

  /** Not started yet; each has its own random numbers, by seed. */
  Crowd(String name, int size, long seed, Turn turn) {
    for (int i = 0; i < size; i++) {
      int who = i;
      Thread thread = new Thread(() -> run(who, new Random(seed * 131 + who), turn), name + who);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  private void run(int who, Random random, Turn turn) {
    try {
      while (!stopped) {
        turn.take(who, random);
      }
    } catch (InterruptedException ended) {
      // Told to stop at once.
    } catch (RuntimeException | AssertionError broken) {
      failure = Thread.currentThread().getName() + ": " + broken;
    }
  }

  boolean stopped() {
    return stopped;
  }

  /** Waits, but not beyond the end. */
  void pause(Duration time) {
    long deadline = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0 && !stopped; left = deadline - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, 200_000_000L));
    }
  }

  /** Tells all to stop after their turn, and waits until they have. */
  void stop() {
    stopped = true;
    for (Thread thread : threads) {
      try {
        thread.join(Patience.stretch(LAST_TURN).toMillis());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
      if (thread.isAlive()) {
        throw new AssertionError(thread.getName() + " does not end");
      }
    }
    if (!failure.isEmpty()) {
      throw new AssertionError(failure);
    }
  }

  @Override
  public void close() {
    stopped = true;
    threads.forEach(Thread::interrupt);
  }
}
