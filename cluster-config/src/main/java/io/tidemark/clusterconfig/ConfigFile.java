package io.tidemark.clusterconfig;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The YAML file: keys are flag names, except in the two security blocks, whose keys get the side's
 * prefix. Whole numbers for durations are nanoseconds.
 */
final class ConfigFile {
  private static final String CLIENT_BLOCK = "client-transport-security";
  private static final String PEER_BLOCK = "peer-transport-security";

  /** Keys of the client block that are not flag names themselves. */
  private static final Map<String, String> CLIENT_KEYS =
      Map.of(
          "allowed-cn", "client-cert-allowed-cn",
          "allowed-hostname", "client-cert-allowed-hostname",
          "allowed-cns", "client-cert-allowed-cn",
          "allowed-hostnames", "client-cert-allowed-hostname",
          "crl-file", "client-crl-file",
          "skip-client-san-verification", "client-skip-client-san-verification");

  private static final Map<String, String> PEER_KEYS =
      Map.of(
          "allowed-cn", "peer-cert-allowed-cn",
          "allowed-hostname", "peer-cert-allowed-hostname",
          "allowed-cns", "peer-cert-allowed-cn",
          "allowed-hostnames", "peer-cert-allowed-hostname",
          "client-cert-auth", "peer-client-cert-auth");

  private final String file;
  private final Settings settings;

  ConfigFile(String file, Settings settings) {
    this.file = file;
    this.settings = settings;
  }

  void read() {
    Object root;
    try (Reader reader = Files.newBufferedReader(Path.of(file))) {
      root = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
    } catch (IOException | InvalidPathException e) {
      settings.problem("cannot read configuration file " + file + ": " + e);
      return;
    } catch (YAMLException e) {
      settings.problem("error parsing configuration file " + file + ": " + e.getMessage());
      return;
    }
    if (root == null) {
      return;
    }
    if (!(root instanceof Map<?, ?> entries)) {
      settings.problem("error parsing configuration file " + file + ": not a mapping");
      return;
    }
    entries.forEach((key, value) -> top(String.valueOf(key), value));
  }

  private void top(String key, @Nullable Object value) {
    if (key.equals(CLIENT_BLOCK)) {
      block(key, value, "", CLIENT_KEYS);
    } else if (key.equals(PEER_BLOCK)) {
      block(key, value, "peer-", PEER_KEYS);
    } else {
      assign(key, key, value);
    }
  }

  private void block(
      String block, @Nullable Object value, String prefix, Map<String, String> names) {
    if (value == null) {
      return;
    }
    if (!(value instanceof Map<?, ?> entries)) {
      settings.problem(block + " in " + file + ": not a mapping");
      return;
    }
    entries.forEach(
        (inner, setting) -> {
          String key = String.valueOf(inner);
          assign(block + "." + key, names.getOrDefault(key, prefix + key), setting);
        });
  }

  private void assign(String shown, String name, @Nullable Object value) {
    Flag flag = FlagTable.INSTANCE.find(name);
    if (flag == null || name.equals("config-file")) {
      settings.suspect("unrecognized key in " + file + ": " + shown);
      return;
    }
    if (value == null) {
      return;
    }
    if (value instanceof Map) {
      settings.problem("invalid value for " + shown + " in " + file + ": unexpected mapping");
      return;
    }
    String text = scalar(flag, value);
    if (!text.isEmpty()) {
      settings.assign(flag.name(), text, shown + " in " + file);
    }
  }

  private static String scalar(Flag flag, Object value) {
    if (value instanceof Collection<?> items) {
      return items.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
    if (value instanceof Number number && flag.kind() == Flag.Kind.DURATION) {
      return number.longValue() + "ns";
    }
    return String.valueOf(value);
  }
}
