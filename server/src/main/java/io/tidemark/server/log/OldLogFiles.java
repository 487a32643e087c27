package io.tidemark.server.log;

import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.rolling.helper.Compressor;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.tidemark.clusterconfig.LogRotation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts a log file aside under etcd's names, {@code NAME-TIME.EXT}, and keeps as many of them as is
 * wanted. Logback's own policies can't keep those of more than twenty sizes without beginning a
 * file each day. Compressing and deleting is done by a thread of logback's.
 */
final class OldLogFiles extends ContextAwareBase implements RollingPolicy {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss.SSS", Locale.ROOT);
  private static final String COMPRESSED = ".gz";

  private final Path active;
  private final LogRotation rotation;
  private final Clock clock;
  private final ZoneId zone;
  private final String before;
  private final String after;
  private volatile boolean started;

  OldLogFiles(Path active, LogRotation rotation, Clock clock) {
    this.active = active.toAbsolutePath();
    this.rotation = rotation;
    this.clock = clock;
    this.zone = rotation.localTime() ? clock.getZone() : ZoneOffset.UTC;
    String name = this.active.getFileName().toString();
    int dot = name.lastIndexOf('.');
    this.before = (dot < 0 ? name : name.substring(0, dot)) + "-";
    this.after = dot < 0 ? "" : name.substring(dot);
  }

  /** What a former process left has become older in the meantime. */
  @Override
  public void start() {
    started = true;
    tidyElsewhere();
  }

  @Override
  public void stop() {
    started = false;
  }

  @Override
  public boolean isStarted() {
    return started;
  }

  @Override
  public void rollover() throws RolloverFailure {
    Instant now = clock.instant();
    Path aside = named(now);
    while (Files.exists(aside) || Files.exists(compressed(aside))) {
      now = now.plusMillis(1);
      aside = named(now);
    }
    try {
      Files.move(active, aside);
    } catch (IOException e) {
      throw new RolloverFailure("cannot rename " + active, e);
    }
    tidyElsewhere();
  }

  private Path named(Instant time) {
    return active.resolveSibling(before + TIME.format(time.atZone(zone)) + after);
  }

  private static Path compressed(Path file) {
    return file.resolveSibling(file.getFileName() + COMPRESSED);
  }

  private void tidyElsewhere() {
    getContext().getExecutorService().execute(this::tidy);
  }

  private synchronized void tidy() {
    try {
      List<Old> kept = new ArrayList<>();
      Instant end = clock.instant().minus(Duration.ofDays(rotation.maxDays()));
      for (Old old : newestFirst()) {
        boolean tooMany = rotation.maxBackups() > 0 && kept.size() >= rotation.maxBackups();
        if (tooMany || (rotation.maxDays() > 0 && old.time.isBefore(end))) {
          Files.deleteIfExists(old.file);
        } else {
          kept.add(old);
        }
      }
      if (rotation.compress()) {
        kept.forEach(this::compress);
      }
    } catch (IOException e) {
      addWarn("cannot tidy up old files of " + active, e);
    }
  }

  private void compress(Old old) {
    String name = old.file.toString();
    if (!name.endsWith(COMPRESSED)) {
      Compressor compressor = new Compressor(CompressionMode.GZ);
      compressor.setContext(getContext());
      compressor.compress(name, name + COMPRESSED, "");
    }
  }

  private record Old(Path file, Instant time) {}

  private List<Old> newestFirst() throws IOException {
    List<Old> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(active.resolveSibling(""))) {
      files.forEach(
          file -> {
            Instant time = time(file.getFileName().toString());
            if (time != null) {
              all.add(new Old(file, time));
            }
          });
    }
    all.sort(Comparator.comparing(Old::time).reversed());
    return all;
  }

  /** When a file was put aside, by its name; null if it is none of ours. */
  private @Nullable Instant time(String name) {
    String plain =
        name.endsWith(COMPRESSED) ? name.substring(0, name.length() - COMPRESSED.length()) : name;
    if (!plain.startsWith(before)
        || !plain.endsWith(after)
        || plain.length() < before.length() + after.length()) {
      return null;
    }
    try {
      String text = plain.substring(before.length(), plain.length() - after.length());
      return LocalDateTime.parse(text, TIME).atZone(zone).toInstant();
    } catch (DateTimeParseException notOurs) {
      return null;
    }
  }

  @Override
  public String getActiveFileName() {
    return active.toString();
  }

  /** Logback compresses nothing by itself. */
  @Override
  public CompressionMode getCompressionMode() {
    return CompressionMode.NONE;
  }

  @Override
  public void setParent(FileAppender<?> appender) {}
}
