package io.tidemark.it.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** strace on one process, which makes its calls to sync files fail or wait. One thread. */
final class Tracer implements AutoCloseable {
  private static final String CALLS = "fsync,fdatasync";

  private final Path trace;
  private final Process process;

  /**
   * Attaches.
   *
   * @param effect as strace's option {@code inject} spells it, such as {@code error=EIO}
   */
  Tracer(long pid, String effect, Path trace) {
    this.trace = trace;
    try {
      this.process =
          new ProcessBuilder(
                  "strace",
                  "-f",
                  "-qq",
                  "-o",
                  trace.toString(),
                  "-e",
                  "trace=" + CALLS,
                  "-e",
                  "inject=" + CALLS + ":" + effect,
                  "-p",
                  Long.toString(pid))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Whether it can be used here. */
  static boolean available() {
    try {
      Process probe =
          new ProcessBuilder("strace", "-qq", "-o", "/dev/null", "true")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return probe.waitFor(10, TimeUnit.SECONDS) && probe.exitValue() == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** How many calls were tampered with so far. */
  long tampered() {
    try (var lines = Files.lines(trace)) {
      return lines.filter(line -> line.contains("INJECTED") || line.contains("DELAYED")).count();
    } catch (IOException | UncheckedIOException none) {
      return 0;
    }
  }

  /** Detaches; the process goes on. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
