package io.tidemark.raftcore;

import java.util.ArrayDeque;

/**
 * What a member that is being built has opened so far, so that nothing stays open when a later step
 * fails. One thread.
 */
final class HalfOpen {
  private final ArrayDeque<AutoCloseable> parts = new ArrayDeque<>();

  /** Remembers a part that has just been opened. */
  <T extends AutoCloseable> T opened(T part) {
    parts.push(part);
    return part;
  }

  /** Closes everything, last one first; what fails on the way is told with the cause. */
  void closeAfter(Throwable cause) {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        cause.addSuppressed(e);
      }
    }
  }
}
