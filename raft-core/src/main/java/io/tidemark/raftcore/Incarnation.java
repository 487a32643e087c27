package io.tidemark.raftcore;

import io.tidemark.raftcore.snapshot.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Numbers the runs of a member. Each run's number is higher than every earlier one's, so that the
 * state machine knows the batches of a finished run when one turns up late.
 */
final class Incarnation {
  private static final String FILE = "incarnation";

  private Incarnation() {}

  /**
   * Begins a run and gives its number, which is on disk when this returns. The clock only makes a
   * directory that was put back from a copy go on above where it was; it may stand still or jump.
   *
   * @param directory exists
   * @throws IOException if the directory can't be read or written
   */
  static long begin(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    long last = Files.exists(file) ? read(file) : 0;
    long next = Math.max(last + 1, System.currentTimeMillis());
    DurableFile.write(file, next + "\n");
    return next;
  }

  private static long read(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.UTF_8).strip();
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IOException(file + " should hold a number, but holds '" + text + "'", e);
    }
  }
}
