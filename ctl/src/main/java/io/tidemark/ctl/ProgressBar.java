package io.tidemark.ctl;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A line that shows how far a transfer is; silent unless standard error is a terminal. */
final class ProgressBar {
  private static final int WIDTH = 30;
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private final PrintStream out;
  private final boolean visible;
  private long done;
  private int shownPercent = -1;

  ProgressBar(PrintStream out, boolean visible) {
    this.out = out;
    this.visible = visible;
  }

  static ProgressBar on(PrintStream out) {
    return new ProgressBar(out, isTerminal());
  }

  private static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | InvalidPathException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** So many bytes more have come, and so many are still to come. */
  void advance(long bytes, long remaining) {
    done += bytes;
    long total = done + remaining;
    int percent = total == 0 ? 100 : (int) (done * 100.0 / total);
    if (!visible || percent == shownPercent) {
      return;
    }
    shownPercent = percent;
    int filled = percent * WIDTH / 100;
    out.printf(
        "\r[%s%s] %3d %%  %s of %s ",
        "#".repeat(filled),
        "-".repeat(WIDTH - filled),
        percent,
        GoText.size(done),
        GoText.size(total));
    out.flush();
  }

  /** Leaves the line. */
  void end() {
    if (visible) {
      out.println();
    }
  }
}
