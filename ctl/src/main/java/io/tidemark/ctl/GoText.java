package io.tidemark.ctl;

import com.google.protobuf.ByteString;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts as Go's standard formatting writes them, which users' scripts know. Pure. */
final class GoText {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final Pattern DURATION_PART =
      Pattern.compile("(\\d+(?:\\.\\d+)?)(h|ms|m|s|us|µs|ns)");

  private GoText() {}

  /** Bytes in double quotes; what is not printable is escaped. */
  static String quote(ByteString bytes) {
    StringBuilder text = new StringBuilder("\"");
    int at = 0;
    while (at < bytes.size()) {
      int length = utf8Length(bytes, at);
      if (length == 0) {
        text.append(String.format(Locale.ROOT, "\\x%02x", bytes.byteAt(at) & 0xff));
        at++;
      } else {
        appendQuoted(text, bytes.substring(at, at + length).toStringUtf8().codePointAt(0));
        at += length;
      }
    }
    return text.append('"').toString();
  }

  static String quote(String text) {
    return quote(ByteString.copyFromUtf8(text));
  }

  private static void appendQuoted(StringBuilder text, int codePoint) {
    switch (codePoint) {
      case '"' -> text.append("\\\"");
      case '\\' -> text.append("\\\\");
      case 7 -> text.append("\\a");
      case '\b' -> text.append("\\b");
      case '\f' -> text.append("\\f");
      case '\n' -> text.append("\\n");
      case '\r' -> text.append("\\r");
      case '\t' -> text.append("\\t");
      case 11 -> text.append("\\v");
      default -> {
        if (codePoint < ' ' || codePoint == 0x7f) {
          text.append(String.format(Locale.ROOT, "\\x%02x", codePoint));
        } else if (isPrintable(codePoint)) {
          text.appendCodePoint(codePoint);
        } else {
          text.append(
              String.format(Locale.ROOT, codePoint > 0xffff ? "\\U%08x" : "\\u%04x", codePoint));
        }
      }
    }
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> codePoint == ' ';
      default -> true;
    };
  }

  /** The length of the valid UTF-8 sequence at {@code at}, or 0 when there is none. */
  private static int utf8Length(ByteString bytes, int at) {
    int lead = bytes.byteAt(at) & 0xff;
    int length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length == 0 || at + length > bytes.size()) {
      return 0;
    }
    try {
      ByteBuffer sequence = bytes.substring(at, at + length).asReadOnlyByteBuffer();
      StandardCharsets.UTF_8.newDecoder().decode(sequence);
      return length;
    } catch (CharacterCodingException e) {
      return 0;
    }
  }

  /** Bytes as {@code \x61\x62}. */
  static String hex(ByteString bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append(String.format(Locale.ROOT, "\\x%02x", b & 0xff));
    }
    return text.toString();
  }

  /** A duration such as {@code 4.852378ms} or {@code 1m0.5s}. */
  static String duration(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos == 0) {
      return "0s";
    }
    if (nanos < 0) {
      return "-" + duration(duration.negated());
    }
    if (nanos < 1_000) {
      return nanos + "ns";
    }
    if (nanos < 1_000_000) {
      return decimal(nanos, 3) + "µs";
    }
    if (nanos < NANOS_PER_SECOND) {
      return decimal(nanos, 6) + "ms";
    }
    String text = decimal(nanos % (60 * NANOS_PER_SECOND), 9) + "s";
    if (duration.toMinutes() > 0) {
      text = duration.toMinutesPart() + "m" + text;
    }
    return duration.toHours() > 0 ? duration.toHours() + "h" + text : text;
  }

  /** A duration option such as {@code 5s} or {@code 1m30s}. */
  static Duration parseDuration(String option, String text) {
    Matcher part = DURATION_PART.matcher(text);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (part.find() && part.start() == end) {
      long unit =
          switch (part.group(2)) {
            case "h" -> 3600 * NANOS_PER_SECOND;
            case "m" -> 60 * NANOS_PER_SECOND;
            case "s" -> NANOS_PER_SECOND;
            case "ms" -> 1_000_000;
            case "us", "µs" -> 1_000;
            default -> 1;
          };
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
      end = part.end();
    }
    if (text.isEmpty() || end != text.length() || nanos.compareTo(MAX_NANOS) > 0) {
      throw CommandFailure.badArguments(
          "invalid argument " + quote(text) + " for \"" + option + "\": not a duration");
    }
    return Duration.ofNanos(nanos.longValue());
  }

  private static String decimal(long value, int scale) {
    return value == 0 ? "0" : BigDecimal.valueOf(value, scale).stripTrailingZeros().toPlainString();
  }

  /** A size in powers of 1000 with two digits, such as {@code 25 kB} or {@code 1.6 MB}. */
  static String size(long bytes) {
    if (bytes < 10) {
      return bytes + " B";
    }
    String[] units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    int exponent = (int) Math.floor(Math.log10((double) bytes) / 3);
    double value = Math.floor((double) bytes / Math.pow(1000, exponent) * 10 + 0.5) / 10;
    // Halves go to the even neighbour.
    return String.format(
        Locale.ROOT,
        value < 10 ? "%.1f %s" : "%.0f %s",
        value < 10 ? value : Math.rint(value),
        units[exponent]);
  }
}
