package io.tidemark.ctl.bench;

import java.time.Duration;

/**
 * How long a load runs.
 *
 * @param warmup discarded time before the measured window
 * @param measured length of the measured window
 * @param grace how long to wait afterwards for calls and events still under way
 */
public record Phases(Duration warmup, Duration measured, Duration grace) {
  public Phases {
    if (warmup.isNegative() || grace.isNegative() || measured.isNegative() || measured.isZero()) {
      throw new IllegalArgumentException("the measured window must be longer than nothing");
    }
  }

  public static Phases of(Duration warmup, Duration measured) {
    return new Phases(warmup, measured, Duration.ofSeconds(10));
  }
}
