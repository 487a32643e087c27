package io.tidemark.ctl.compare;

import io.tidemark.ctl.bench.LoadFailure;
import picocli.CommandLine;

/** {@code scripts/compare}. */
public final class CompareMain {
  private CompareMain() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new CompareCommand())
        // The script gives defaults before what the user typed.
        .setOverwrittenOptionsAllowed(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, line, parsed) -> {
              if (!(failure instanceof LoadFailure)) {
                throw failure;
              }
              line.getErr().println("compare: " + failure.getMessage());
              return 1;
            });
  }
}
