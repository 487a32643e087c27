package io.tidemark.clusterconfig;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * When a log file is put aside for a new one, and what becomes of those that were.
 *
 * @param maxMegabytes size, in units of 1024 * 1024 bytes, from which on a file is put aside
 * @param maxDays files put aside longer ago are deleted; 0 keeps them
 * @param maxBackups files put aside beyond this number are deleted, oldest first; 0 keeps them
 * @param localTime whether names of files put aside tell the time of this place rather than UTC
 * @param compress whether files put aside are compressed
 */
public record LogRotation(
    int maxMegabytes, int maxDays, int maxBackups, boolean localTime, boolean compress) {
  private static final int DEFAULT_MEGABYTES = 100;
  private static final int MAX_MEGABYTES = 1 << 20;
  private static final int MAX_DAYS = 100_000;
  private static final Set<String> NAMES =
      Set.of("maxsize", "maxage", "maxbackups", "localtime", "compress");
  private static final Set<String> CONSOLES = Set.of("default", "stdout", "stderr");

  /** As the flags say; null, with the problem said, if they make no sense or are off. */
  static @Nullable LogRotation read(Settings settings, List<String> outputs) {
    if (!settings.bool("enable-log-rotation")) {
      return null;
    }
    if (outputs.stream().filter(output -> !CONSOLES.contains(output)).count() != 1) {
      settings.problem(
          "--log-outputs requires a single file path when --log-rotate-config-json is defined");
      return null;
    }
    try {
      return of(settings.text("log-rotation-config-json"));
    } catch (IllegalArgumentException wrong) {
      settings.problem("invalid log rotation config: " + wrong.getMessage());
      return null;
    }
  }

  /** JSON is YAML, and a reader of that is at hand. */
  private static LogRotation of(String json) {
    Object read;
    try {
      read = new Yaml(new SafeConstructor(new LoaderOptions())).load(json);
    } catch (YAMLException e) {
      throw new IllegalArgumentException(json + " is not JSON", e);
    }
    if (!(read instanceof Map<?, ?> object)) {
      throw new IllegalArgumentException(json + " is not an object");
    }
    Map<String, Object> given = new TreeMap<>();
    object.forEach((name, value) -> given.put(lowerCase(name), value));
    // Other than etcd: a limit that is misspelled would let a disk fill up.
    Set<String> unknown = new TreeSet<>(given.keySet());
    unknown.removeAll(NAMES);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("unknown " + unknown);
    }
    int megabytes = count(given, "maxsize", MAX_MEGABYTES);
    return new LogRotation(
        megabytes == 0 ? DEFAULT_MEGABYTES : megabytes,
        count(given, "maxage", MAX_DAYS),
        count(given, "maxbackups", Integer.MAX_VALUE),
        truth(given, "localtime"),
        truth(given, "compress"));
  }

  /** As Go reads it. */
  private static String lowerCase(Object name) {
    return String.valueOf(name).toLowerCase(Locale.ROOT);
  }

  private static int count(Map<String, Object> given, String name, int most) {
    Object value = given.get(name);
    if (value == null) {
      return 0;
    }
    if (!(value instanceof Integer number) || number < 0 || number > most) {
      throw new IllegalArgumentException(name + " must be a number from 0 to " + most);
    }
    return number;
  }

  private static boolean truth(Map<String, Object> given, String name) {
    Object value = given.get(name);
    if (value != null && !(value instanceof Boolean)) {
      throw new IllegalArgumentException(name + " must be true or false");
    }
    return Boolean.TRUE.equals(value);
  }
}
