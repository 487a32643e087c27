package io.tidemark.server.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import io.tidemark.clusterconfig.LogRotation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log file that grows, by a clock of the test's. */
@Timeout(60)
class LogRotationTest {
  private static final String OLDEST = "member-2026-03-01T10-00-00.000.log";
  private static final String OLDER = "member-2026-03-08T10-00-00.000.log.gz";
  private static final String NEW = "member-2026-03-10T10-00-00.000.log";
  private static final int MEGABYTE = 1024 * 1024;

  @TempDir Path directory;

  /** A file that is full, two that were put aside earlier, and two that only look like it. */
  private List<String> afterOneLine(LogRotation rotation, ZoneId zone) throws Exception {
    Files.writeString(file("member.log"), "x".repeat(MEGABYTE - 1) + "\n");
    for (String name :
        List.of(OLDEST, OLDER, "member-2026.log", "other-2026-03-01T10-00-00.000.log")) {
      Files.writeString(file(name), name);
    }
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    Clock clock = Clock.fixed(Instant.parse("2026-03-10T10:00:00Z"), zone);
    OutputStreamAppender<ILoggingEvent> appender =
        ProcessLog.appender(file("member.log").toString(), rotation, clock, context);
    JsonLine json = new JsonLine();
    json.setContext(context);
    json.start();
    appender.setEncoder(json);
    appender.start();
    appender.doAppend(
        new LoggingEvent("", context.getLogger("a.b.C"), Level.INFO, "after", null, null));
    appender.doAppend(
        new LoggingEvent("", context.getLogger("a.b.C"), Level.INFO, "again", null, null));
    appender.stop();
    context.getExecutorService().shutdown();
    assertTrue(context.getExecutorService().awaitTermination(30, TimeUnit.SECONDS));
    List<String> lines = Files.readAllLines(file("member.log"));
    assertEquals(2, lines.size());
    assertTrue(lines.get(0).contains("\"msg\":\"after\""), lines.get(0));
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith("member-2026-"))
          .sorted()
          .toList();
    }
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  @Test
  void everythingIsKept() throws Exception {
    assertEquals(
        List.of(OLDEST, OLDER, NEW),
        afterOneLine(new LogRotation(1, 0, 0, false, false), ZoneOffset.ofHours(2)));
    assertEquals(MEGABYTE, Files.size(file(NEW)));
    assertTrue(Files.exists(file("member-2026.log")));
    assertTrue(Files.exists(file("other-2026-03-01T10-00-00.000.log")));
  }

  @Test
  void onlySoManyAreKept() throws Exception {
    assertEquals(
        List.of(OLDER, NEW), afterOneLine(new LogRotation(1, 0, 2, false, false), ZoneOffset.UTC));
  }

  @Test
  void onlyRecentOnesAreKept() throws Exception {
    assertEquals(
        List.of(NEW), afterOneLine(new LogRotation(1, 1, 0, false, false), ZoneOffset.UTC));
  }

  @Test
  void namesTellTheTimeOfThisPlace() throws Exception {
    assertEquals(
        List.of(OLDER, "member-2026-03-10T12-00-00.000.log"),
        afterOneLine(new LogRotation(1, 5, 0, true, false), ZoneOffset.ofHours(2)));
  }

  @Test
  void oldOnesAreCompressed() throws Exception {
    assertEquals(
        List.of(OLDEST + ".gz", OLDER, NEW + ".gz"),
        afterOneLine(new LogRotation(1, 0, 0, false, true), ZoneOffset.UTC));
    assertEquals(OLDEST, unpacked(OLDEST + ".gz"));
    assertEquals(MEGABYTE, unpacked(NEW + ".gz").length());
  }

  private String unpacked(String name) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file(name)))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
