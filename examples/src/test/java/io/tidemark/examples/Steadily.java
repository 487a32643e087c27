package io.tidemark.examples;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what happens by itself. */
final class Steadily {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private Steadily() {}

  static void until(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.call()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("waited in vain: " + what);
      }
      LockSupport.parkNanos(10_000_000);
    }
  }
}
