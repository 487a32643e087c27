package io.tidemark.raftcore.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * How many lines of one kind go to the log in a second. When everything is slow, some of it is
 * logged and the rest counted: a log of the overload mustn't add to it. Times are those of {@link
 * System#nanoTime}. Thread-safe.
 */
public final class LinePace {
  private static final int LINES_A_SECOND = 10;
  private static final long SECOND_NANOS = 1_000_000_000;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private long second;

  @GuardedBy("lock")
  private int lines;

  @GuardedBy("lock")
  private long omitted;

  /** The first second begins now. */
  public LinePace(long nowNanos) {
    second = nowNanos;
  }

  /** Whether a line may be written; one that may not is counted. */
  public boolean admits(long nowNanos) {
    synchronized (lock) {
      if (nowNanos - second > SECOND_NANOS) {
        second = nowNanos;
        lines = 0;
      }
      if (lines < LINES_A_SECOND) {
        lines++;
        return true;
      }
      omitted++;
      return false;
    }
  }

  /** The line, with the number of those that were not written before it. */
  public LoggingEventBuilder withOmitted(LoggingEventBuilder line) {
    synchronized (lock) {
      long before = omitted;
      omitted = 0;
      return before == 0 ? line : line.addKeyValue("slow ones not logged before", before);
    }
  }
}
