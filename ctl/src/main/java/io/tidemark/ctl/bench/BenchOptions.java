package io.tidemark.ctl.bench;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The flags that every load takes. Filled in by the command line parser. */
final class BenchOptions {
  @Option(
      names = "--duration",
      defaultValue = "10s",
      converter = DurationText.class,
      description = "measured time, as 500ms, 10s or 2m (default: ${DEFAULT-VALUE})")
  Duration duration = Duration.ZERO;

  @Option(
      names = "--warmup",
      defaultValue = "3s",
      converter = DurationText.class,
      description = "time before that, discarded (default: ${DEFAULT-VALUE})")
  Duration warmup = Duration.ZERO;

  @Option(
      names = "--value-bytes",
      defaultValue = "256",
      description = "length of a value (default: ${DEFAULT-VALUE})")
  int valueBytes;

  @Option(
      names = "--key-space",
      defaultValue = "10000",
      description = "number of different keys (default: ${DEFAULT-VALUE})")
  int keySpace;

  @Option(
      names = "--prefix",
      defaultValue = "bench/",
      description = "what every key begins with (default: ${DEFAULT-VALUE})")
  String prefix = "";

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "for keys and values (default: ${DEFAULT-VALUE})")
  long seed;

  @Option(
      names = "--connections",
      defaultValue = "2",
      description = "connections per endpoint (default: ${DEFAULT-VALUE})")
  int connections;

  @Option(
      names = "--loops",
      defaultValue = "1",
      description = "event loop threads of the client (default: ${DEFAULT-VALUE})")
  int loops;

  @Option(names = "--json", description = "print one JSON object")
  boolean json;

  LoadRun open(List<Endpoint> endpoints) {
    return new LoadRun(
        new Target(endpoints, connections, loops),
        new KeySpace(prefix, keySpace, valueBytes, seed),
        Phases.of(warmup, duration),
        Window.ignored());
  }

  /** Reads {@code 500ms}, {@code 10s}, {@code 2m}. */
  public static final class DurationText implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      String text = value.toLowerCase(Locale.ROOT);
      int digits = 0;
      while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
        digits++;
      }
      if (digits == 0 || digits > 9) {
        throw new TypeConversionException("'" + value + "' is not a duration");
      }
      long amount = Long.parseLong(text.substring(0, digits));
      return switch (text.substring(digits)) {
        case "ms" -> Duration.ofMillis(amount);
        case "s" -> Duration.ofSeconds(amount);
        case "m" -> Duration.ofMinutes(amount);
        default -> throw new TypeConversionException("'" + value + "' is not a duration");
      };
    }
  }
}
