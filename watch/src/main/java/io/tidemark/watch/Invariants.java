package io.tidemark.watch;

import com.google.errorprone.annotations.FormatMethod;

/** Checks that stay on in production: a broken one is a bug, never a client's mistake. */
final class Invariants {
  private Invariants() {}

  @FormatMethod
  static void check(boolean holds, String message, Object... arguments) {
    if (!holds) {
      throw new IllegalStateException(String.format(message, arguments));
    }
  }

  /** The allocation-free form for paths that run once per event. */
  static void atLeast(long value, long bound, String rule) {
    if (value < bound) {
      throw new IllegalStateException(rule + ": " + value + " < " + bound);
    }
  }
}
