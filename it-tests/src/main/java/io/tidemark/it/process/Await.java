package io.tidemark.it.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a condition of another process that cannot tell us by itself: it is polled every 10 ms
 * and the wait ends as soon as it holds. Blocks the calling thread; any thread may call.
 */
public final class Await {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private Await() {}

  /**
   * Returns once {@code condition} holds.
   *
   * @throws AssertionError naming {@code what} when it does not hold in time
   */
  public static void until(String what, Duration limit, BooleanSupplier condition) {
    value(what, limit, () -> condition.getAsBoolean() ? Boolean.TRUE : null);
  }

  /**
   * Returns the first value that is not null.
   *
   * @throws AssertionError naming {@code what} when there is none in time
   */
  public static <T> T value(String what, Duration limit, Supplier<@Nullable T> source) {
    return value(what, limit, POLL_NANOS, source);
  }

  /**
   * As {@link #until}, for a condition that holds for a moment only: polled fifty times as often.
   */
  public static void moment(String what, Duration limit, BooleanSupplier condition) {
    value(what, limit, POLL_NANOS / 50, () -> condition.getAsBoolean() ? Boolean.TRUE : null);
  }

  private static <T> T value(
      String what, Duration limit, long pollNanos, Supplier<@Nullable T> source) {
    long deadline = System.nanoTime() + Patience.stretch(limit).toNanos();
    while (true) {
      T value = source.get();
      if (value != null) {
        return value;
      }
      if (System.nanoTime() - deadline >= 0) {
        throw new AssertionError("not within " + limit + ": " + what);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("interrupted while waiting for: " + what);
      }
      LockSupport.parkNanos(pollNanos);
    }
  }
}
