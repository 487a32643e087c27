package io.tidemark.ctl;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The program itself: global options and the list of commands. */
@Command(name = "tidemarkctl", description = "A command-line client for Tidemark.")
final class RootCommand {
  @Mixin final GlobalOptions options;

  RootCommand(GlobalOptions options) {
    this.options = options;
  }
}
