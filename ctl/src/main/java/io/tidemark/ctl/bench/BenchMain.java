package io.tidemark.ctl.bench;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/** {@link BenchCommand} as a program of its own. */
public final class BenchMain {
  private BenchMain() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new BenchCommand());
    line.getCommandSpec()
        .addOption(
            OptionSpec.builder("-h", "--help")
                .type(boolean.class)
                .usageHelp(true)
                .description("show this help")
                .scopeType(ScopeType.INHERIT)
                .build())
        .addOption(
            OptionSpec.builder(BenchCommand.ENDPOINTS)
                .type(String.class)
                .defaultValue("127.0.0.1:2379")
                .description("comma list of host:port (default: ${DEFAULT-VALUE})")
                .scopeType(ScopeType.INHERIT)
                .build());
    return line;
  }
}
