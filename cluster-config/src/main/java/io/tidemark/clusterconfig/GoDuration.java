package io.tidemark.clusterconfig;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code 1h30m}, {@code 1.5s}, {@code 250ms}, {@code 0}. Pure. */
public final class GoDuration {
  private static final Pattern PART =
      Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
  private static final Map<String, Long> UNIT_NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private GoDuration() {}

  /** So many nanoseconds in milliseconds, such as {@code 412.031ms}, for the log. */
  public static String millis(long nanos) {
    return BigDecimal.valueOf(nanos, 6).setScale(3, RoundingMode.HALF_UP).toPlainString() + "ms";
  }

  /** The duration, or empty when the text is not one or exceeds 64-bit nanoseconds. */
  public static Optional<Duration> parse(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    if (rest.isEmpty()) {
      return Optional.empty();
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher part = PART.matcher(rest);
    int end = 0;
    while (end < rest.length()) {
      if (!part.find(end) || part.start() != end) {
        return Optional.empty();
      }
      BigDecimal unit = BigDecimal.valueOf(UNIT_NANOS.getOrDefault(part.group(2), 0L));
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit));
      end = part.end();
    }
    if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      return Optional.empty();
    }
    return Optional.of(Duration.ofNanos(negative ? -nanos.longValue() : nanos.longValue()));
  }
}
