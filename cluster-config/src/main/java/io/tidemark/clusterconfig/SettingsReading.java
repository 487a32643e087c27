package io.tidemark.clusterconfig;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Merges command line, environment and file into {@link Settings} by precedence. */
final class SettingsReading {
  private static final Set<String> OTHER_VARIABLES =
      Set.of("ETCD_COMPAT_VERSION", "ETCD_UNSUPPORTED_ARCH");

  private final CommandLine line;
  private final Settings settings = new Settings();

  SettingsReading(CommandLine line) {
    this.line = line;
  }

  Settings read(Map<String, String> env) {
    line.problems().forEach(settings::problem);
    String file =
        line.values().getOrDefault("config-file", env.getOrDefault("ETCD_CONFIG_FILE", ""));
    if (file.isEmpty()) {
      readEnvironment(env);
      readLine();
    } else {
      new ConfigFile(file, settings).read();
      if (line.values().keySet().stream().anyMatch(name -> !name.equals("config-file"))) {
        settings.warn(
            "loaded server configuration from "
                + file
                + ", other command line flags and environment variables are ignored");
      }
    }
    judgeFlagsWithoutEffect();
    return settings;
  }

  private void readEnvironment(Map<String, String> env) {
    Map<String, Flag> known = new TreeMap<>();
    for (Flag flag : FlagTable.INSTANCE.all()) {
      known.put(flag.environmentName(), flag);
    }
    new TreeMap<>(env)
        .forEach(
            (variable, value) -> {
              if (!variable.startsWith("ETCD_") || value.isEmpty()) {
                return;
              }
              Flag flag = known.get(variable.replace("ETCD_EXPERIMENTAL_", "ETCD_"));
              if (flag != null) {
                settings.assign(flag.name(), value, variable);
              } else if (!OTHER_VARIABLES.contains(variable)) {
                settings.warn("unrecognized environment variable: " + variable + "=" + value);
              }
            });
  }

  private void readLine() {
    line.values()
        .forEach(
            (typed, value) -> {
              Flag flag = FlagTable.INSTANCE.find(typed);
              if (flag == null) {
                return;
              }
              if (settings.isSet(flag.name())
                  && settings.source(flag.name()).equals(flag.environmentName())) {
                settings.warn(
                    "recognized environment variable "
                        + flag.environmentName()
                        + ", but unused: shadowed by corresponding flag");
              }
              if (!flag.name().equals(typed)) {
                settings.warn("--" + typed + " is the former name of --" + flag.name());
              }
              settings.assign(flag.name(), value, "flag -" + typed);
            });
  }

  private void judgeFlagsWithoutEffect() {
    for (Flag flag : FlagTable.INSTANCE.all()) {
      if (!settings.differsFromDefault(flag)) {
        continue;
      }
      switch (flag.standing()) {
        case PENDING -> settings.warn("--" + flag.name() + " is accepted but not supported yet");
        case REFUSED -> settings.problem("--" + flag.name() + " is not supported yet");
        case FOREIGN -> settings.warn("--" + flag.name() + " is accepted but has no effect");
        case HONOURED -> {}
      }
    }
  }
}
