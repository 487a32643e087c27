package io.tidemark.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.slf4j.event.KeyValuePair;

/** One record as one line of JSON, with the field names of etcd's log: level, ts, caller, msg. */
final class JsonLine extends EncoderBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(160);
    line.append('{');
    field(line, "level", event.getLevel().toString().toLowerCase(Locale.ROOT));
    field(line, "ts", TIME.format(event.getInstant()));
    field(line, "caller", caller(event.getLoggerName()));
    field(line, "msg", event.getFormattedMessage());
    if (event.getKeyValuePairs() != null) {
      for (KeyValuePair pair : event.getKeyValuePairs()) {
        field(line, pair.key, String.valueOf(pair.value));
      }
    }
    if (event.getThrowableProxy() != null) {
      field(line, "error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    line.append("}\n");
    return line.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The last package and the class: finding the line of code would cost a walk of the stack. */
  private static String caller(String logger) {
    int simple = logger.lastIndexOf('.');
    int parent = simple <= 0 ? -1 : logger.lastIndexOf('.', simple - 1);
    return logger.substring(parent + 1).replace('.', '/');
  }

  private static void field(StringBuilder line, String name, String value) {
    if (line.length() > 1) {
      line.append(',');
    }
    quoted(line, name);
    line.append(':');
    quoted(line, value);
  }

  private static void quoted(StringBuilder line, String text) {
    line.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> line.append("\\\"");
        case '\\' -> line.append("\\\\");
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        default -> {
          if (c < ' ') {
            line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            line.append(c);
          }
        }
      }
    }
    line.append('"');
  }
}
