package io.tidemark.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import io.tidemark.clusterconfig.LogRotation;
import io.tidemark.clusterconfig.Logging;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Sets up the log of this process. */
public final class ProcessLog {
  /**
   * Libraries report what clients and networks do as trouble of theirs; it is none of ours. Below
   * INFO they also write down what goes over connections, with passwords and tokens.
   */
  private static final Map<String, Level> LIBRARIES =
      Map.of(
          "org.apache.ratis", Level.ERROR,
          "io.grpc", Level.ERROR,
          "io.netty", Level.WARN);

  private ProcessLog() {}

  /**
   * Replaces whatever was set up before. Call before other threads log.
   *
   * @throws IOException if an output can't be written to
   */
  public static void configure(Logging logging) throws IOException {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    levels(context, logging.level());
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    for (String output : logging.outputs()) {
      root.addAppender(opened(output, logging, context));
    }
    forwardJavaLogging();
  }

  static void levels(LoggerContext context, Logging.Level wanted) {
    context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(level(wanted));
    boolean debug = wanted == Logging.Level.DEBUG;
    LIBRARIES.forEach(
        (name, level) -> context.getLogger(name).setLevel(debug ? Level.INFO : level));
  }

  /** From now on libraries are silent: what they meet while they are being closed is no news. */
  public static void silenceLibraries() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    LIBRARIES.keySet().forEach(name -> context.getLogger(name).setLevel(Level.OFF));
  }

  private static Level level(Logging.Level level) {
    return switch (level) {
      case DEBUG -> Level.DEBUG;
      case INFO -> Level.INFO;
      case WARN -> Level.WARN;
      case ERROR, PANIC, FATAL -> Level.ERROR;
    };
  }

  static OutputStreamAppender<ILoggingEvent> opened(
      String output, Logging logging, LoggerContext context) throws IOException {
    OutputStreamAppender<ILoggingEvent> appender =
        appender(output, logging.rotation(), Clock.systemDefaultZone(), context);
    appender.setEncoder(encoder(logging.format(), context));
    appender.start();
    if (!appender.isStarted()) {
      throw new IOException("open sink \"" + output + "\": can't be written to");
    }
    return appender;
  }

  /** Not started, and without an encoder. */
  static OutputStreamAppender<ILoggingEvent> appender(
      String output, @Nullable LogRotation rotation, Clock clock, LoggerContext context) {
    if (output.equals("default") || output.equals("stderr") || output.equals("stdout")) {
      ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
      console.setTarget(output.equals("stdout") ? "System.out" : "System.err");
      console.setContext(context);
      return console;
    }
    if (rotation != null) {
      return rotated(output, rotation, clock, context);
    }
    FileAppender<ILoggingEvent> file = new FileAppender<>();
    file.setContext(context);
    file.setFile(output);
    return file;
  }

  private static FileAppender<ILoggingEvent> rotated(
      String output, LogRotation rotation, Clock clock, LoggerContext context) {
    SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
    size.setContext(context);
    size.setMaxFileSize(new FileSize(rotation.maxMegabytes() * FileSize.MB_COEFFICIENT));
    // Else it looks once a minute.
    size.setCheckIncrement(Duration.buildByMilliseconds(0));
    size.start();
    OldLogFiles old = new OldLogFiles(Path.of(output), rotation, clock);
    old.setContext(context);
    old.start();
    RollingFileAppender<ILoggingEvent> file = new RollingFileAppender<>();
    file.setContext(context);
    file.setFile(output);
    file.setTriggeringPolicy(size);
    file.setRollingPolicy(old);
    return file;
  }

  private static Encoder<ILoggingEvent> encoder(Logging.Format format, LoggerContext context) {
    if (format == Logging.Format.JSON) {
      JsonLine json = new JsonLine();
      json.setContext(context);
      json.start();
      return json;
    }
    PatternLayoutEncoder plain = new PatternLayoutEncoder();
    plain.setContext(context);
    plain.setPattern("%d{ISO8601}\t%level\t%logger{0}\t%msg\t%kvp%n%ex");
    plain.start();
    return plain;
  }

  /** gRPC, also the copy inside Ratis, logs through java.util.logging. */
  private static void forwardJavaLogging() {
    LogManager.getLogManager().reset();
    java.util.logging.Logger root = java.util.logging.Logger.getLogger("");
    root.setLevel(java.util.logging.Level.WARNING);
    root.addHandler(new Forwarder());
  }

  private static final class Forwarder extends Handler {
    @Override
    public void publish(LogRecord entry) {
      org.slf4j.Logger log = LoggerFactory.getLogger(String.valueOf(entry.getLoggerName()));
      if (entry.getLevel().intValue() >= java.util.logging.Level.SEVERE.intValue()) {
        log.error(entry.getMessage(), entry.getThrown());
      } else {
        log.warn(entry.getMessage(), entry.getThrown());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
