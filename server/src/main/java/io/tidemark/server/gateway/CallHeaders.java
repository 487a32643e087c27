package io.tidemark.server.gateway;

import io.grpc.Metadata;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * HTTP headers as a call's metadata: {@code Authorization} under its own name, and {@code
 * Grpc-Metadata-X} as {@code x}. {@code Grpc-Timeout} limits the call.
 */
final class CallHeaders {
  /** No limit. */
  static final long NO_TIMEOUT = -1;

  private static final String METADATA = "grpc-metadata-";
  private static final Pattern NAME = Pattern.compile("[0-9a-z_.-]+");
  private static final Pattern TIMEOUT = Pattern.compile("(\\d{1,8})([HMSmun])");

  private CallHeaders() {}

  /**
   * The metadata.
   *
   * @param headers names in lower case
   */
  static Metadata metadata(Map<String, String> headers) {
    Metadata metadata = new Metadata();
    headers.forEach(
        (name, value) -> {
          if (name.equals("authorization")) {
            put(metadata, name, value);
          } else if (name.startsWith(METADATA)) {
            put(metadata, name.substring(METADATA.length()), value);
          }
        });
    return metadata;
  }

  private static void put(Metadata metadata, String name, String value) {
    if (NAME.matcher(name).matches() && !name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
      metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    }
  }

  /** How many nanoseconds the call may take; {@link #NO_TIMEOUT} when nothing is said. */
  static long timeoutNanos(Map<String, String> headers) throws BadRequestException {
    String wish = headers.get("grpc-timeout");
    if (wish == null) {
      return NO_TIMEOUT;
    }
    var parts = TIMEOUT.matcher(wish);
    if (!parts.matches()) {
      throw new BadRequestException("invalid grpc-timeout: " + wish);
    }
    return unit(parts.group(2)).toNanos(Long.parseLong(parts.group(1)));
  }

  private static TimeUnit unit(String letter) {
    return switch (letter) {
      case "H" -> TimeUnit.HOURS;
      case "M" -> TimeUnit.MINUTES;
      case "S" -> TimeUnit.SECONDS;
      case "m" -> TimeUnit.MILLISECONDS;
      case "u" -> TimeUnit.MICROSECONDS;
      default -> TimeUnit.NANOSECONDS;
    };
  }
}
