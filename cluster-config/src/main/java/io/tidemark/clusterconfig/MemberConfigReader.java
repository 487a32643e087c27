package io.tidemark.clusterconfig;

import java.util.Map;

/**
 * Reads a member's configuration as etcd does: a flag beats its {@code ETCD_*} variable, which
 * beats the default; with {@code --config-file} (or {@code ETCD_CONFIG_FILE}) the file alone
 * counts.
 *
 * <p>Any thread. Blocks only for reading the configuration file. Never throws for what the user
 * typed: problems are collected in {@link ConfigResult.Invalid}.
 */
public final class MemberConfigReader {
  private MemberConfigReader() {}

  /**
   * Reads and checks the configuration.
   *
   * @param args the command line without the program's name
   * @param env the process environment
   */
  public static ConfigResult read(String[] args, Map<String, String> env) {
    CommandLine line = CommandLine.parse(args);
    if (line.helpAsked()) {
      return new ConfigResult.Help(HelpText.render(FlagTable.INSTANCE));
    }
    if (line.versionAsked()) {
      return new ConfigResult.Version();
    }
    SettingsReading reading = new SettingsReading(line);
    Settings settings = reading.read(env);
    return ConfigAssembly.assemble(settings);
  }
}
