package io.tidemark.it.process;

import java.time.Duration;

/**
 * Stretches all time limits of the rig by {@code it.patience} (1 unless told), for machines that
 * are busy with something else. Limits that a test asserts are not stretched.
 */
public final class Patience {
  private static final int FACTOR = Integer.getInteger("it.patience", 1);

  private Patience() {}

  /** The limit to wait for instead of {@code limit}. */
  public static Duration stretch(Duration limit) {
    return limit.multipliedBy(FACTOR);
  }
}
