package io.tidemark.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The time by which the leases of a cluster run out. It goes with real time until somebody turns
 * it; nothing else in a member goes by it. Thread-safe.
 *
 * <p>After {@link #advance} leases that are over go within a second or so: a leader that finds that
 * time has jumped first lets keep-alives in that may have come meanwhile. One that was on its way
 * when its sender stopped may be among them, and renews its lease.
 */
public final class LeaseTime {
  private final LongSupplier real;

  @GuardedBy("this")
  private long aheadNanos;

  @GuardedBy("this")
  private long stoppedAt;

  @GuardedBy("this")
  private boolean stopped;

  LeaseTime(LongSupplier real) {
    this.real = real;
  }

  /** Nanoseconds from an arbitrary origin; never goes back. */
  synchronized long nanos() {
    return stopped ? stoppedAt : real.getAsLong() + aheadNanos;
  }

  /** Moves the time forward. While it is stopped, leases notice once it goes on. */
  public synchronized void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("time doesn't go back: " + by);
    }
    aheadNanos += by.toNanos();
    stoppedAt += by.toNanos();
  }

  /** Lets no lease run out until {@link #go}. */
  public synchronized void stop() {
    if (!stopped) {
      stoppedAt = real.getAsLong() + aheadNanos;
      stopped = true;
    }
  }

  /** Goes on from where it was stopped. */
  public synchronized void go() {
    if (stopped) {
      aheadNanos = stoppedAt - real.getAsLong();
      stopped = false;
    }
  }
}
