package io.tidemark.ctl.bench;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes maps, lists, strings, numbers and booleans as JSON, in their order, on one line. */
public final class JsonText {
  private JsonText() {}

  public static String of(Object value) {
    StringBuilder out = new StringBuilder(1024);
    write(out, value);
    return out.toString();
  }

  /** Half up; a whole number is written without a fraction. Not-a-number and infinity become 0. */
  public static BigDecimal rounded(double value, int fractionDigits) {
    if (!Double.isFinite(value)) {
      return BigDecimal.ZERO;
    }
    BigDecimal rounded =
        BigDecimal.valueOf(value)
            .setScale(fractionDigits, RoundingMode.HALF_UP)
            .stripTrailingZeros();
    return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
  }

  private static void write(StringBuilder out, Object value) {
    if (value instanceof Map<?, ?> map) {
      writeMap(out, map);
    } else if (value instanceof List<?> list) {
      writeList(out, list);
    } else if (value instanceof BigDecimal number) {
      out.append(number.toPlainString());
    } else if (value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      writeString(out, value.toString());
    }
  }

  private static void writeMap(StringBuilder out, Map<?, ?> map) {
    out.append('{');
    String separator = "";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.append(separator);
      writeString(out, entry.getKey().toString());
      out.append(':');
      write(out, entry.getValue());
      separator = ",";
    }
    out.append('}');
  }

  private static void writeList(StringBuilder out, List<?> list) {
    out.append('[');
    String separator = "";
    for (Object element : list) {
      out.append(separator);
      write(out, element);
      separator = ",";
    }
    out.append(']');
  }

  private static void writeString(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20) {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
