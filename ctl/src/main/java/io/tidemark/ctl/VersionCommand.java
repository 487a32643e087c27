package io.tidemark.ctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code version}. */
@Command(name = "version", description = "Show the version.")
final class VersionCommand implements Callable<Integer> {
  private static final String VERSION = "0.1.0";
  private static final String API_VERSION = "3.7";

  private final Session session;

  VersionCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    session.out().print("tidemarkctl version: " + VERSION + "\nAPI version: " + API_VERSION + "\n");
    return 0;
  }
}
