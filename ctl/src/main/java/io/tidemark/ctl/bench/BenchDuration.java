package io.tidemark.ctl.bench;

import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 500ms}, {@code 10s}, {@code 2m}. */
public final class BenchDuration implements ITypeConverter<Duration> {
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
