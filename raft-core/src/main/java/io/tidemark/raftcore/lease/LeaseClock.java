package io.tidemark.raftcore.lease;

import java.util.function.LongSupplier;

/**
 * The lease clock, in milliseconds, as this member knows it: the newest time that the log tells,
 * and what has passed since it was heard.
 *
 * <p>It runs at the pace of real time while somebody leads, and never ahead of the clock that a
 * leader before had: what passes between a leader's last word and its successor isn't counted. So a
 * lease may get some time as a present, and none loses any. While this member leads, its own
 * entries don't set the clock: each would take away the time that it needed to be applied.
 * Thread-safe.
 */
public final class LeaseClock {
  private final LongSupplier nanoTime;
  private volatile Anchor anchor;
  private boolean leading;

  /** A clock that stands at {@code logged} now. */
  public LeaseClock(LongSupplier nanoTime, long logged) {
    this.nanoTime = nanoTime;
    this.anchor = new Anchor(logged, nanoTime.getAsLong());
  }

  /** The time now. */
  public long now() {
    Anchor from = anchor;
    return from.clock + (nanoTime.getAsLong() - from.nanos) / 1_000_000;
  }

  /** The time of this machine that the clock is measured by, in nanoseconds from anywhere. */
  long nanos() {
    return nanoTime.getAsLong();
  }

  /** The log tells a time. Thread: apply. */
  public synchronized void heard(long logged) {
    if (!leading) {
      anchor = new Anchor(logged, nanoTime.getAsLong());
    }
  }

  /** This member leads from now on; everything before its term is applied. */
  synchronized void lead(long logged) {
    leading = true;
    anchor = new Anchor(logged, nanoTime.getAsLong());
  }

  /** This member doesn't lead any more. */
  synchronized void follow() {
    leading = false;
  }

  private record Anchor(long clock, long nanos) {}
}
