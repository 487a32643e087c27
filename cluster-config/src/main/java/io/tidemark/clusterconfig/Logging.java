package io.tidemark.clusterconfig;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where log lines go and how they look.
 *
 * @param level the least severe level written
 * @param format one JSON object or one plain line per record
 * @param outputs {@code default}, {@code stdout}, {@code stderr} or file names
 * @param rotation of the file among the outputs; null for none
 */
public record Logging(
    Level level, Format format, List<String> outputs, @Nullable LogRotation rotation) {
  public Logging {
    outputs = List.copyOf(outputs);
  }

  /** Severities in etcd's spelling, lower-cased on the command line. */
  public enum Level {
    DEBUG,
    INFO,
    WARN,
    ERROR,
    PANIC,
    FATAL
  }

  /** The values of {@code --log-format}. */
  public enum Format {
    JSON,
    CONSOLE
  }
}
