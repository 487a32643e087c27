package io.tidemark.statemachine.backup.bbolt;

import java.io.IOException;

/** Receives a file's bytes in order. May block. */
@FunctionalInterface
public interface PageSink {
  /**
   * Takes the next bytes, a whole number of pages.
   *
   * @param bytes used again by the caller afterwards
   */
  void accept(byte[] bytes, int length) throws IOException;
}
