package io.tidemark.server.edge;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS context of the files as they are now, so that certificates can be renewed without a
 * restart. Files are looked at every two seconds by a thread of its own; when the new ones can't be
 * read (they may be half written), connections go on with the last good ones.
 *
 * <p>Any thread may ask for the context; that never blocks.
 */
final class LiveTls implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveTls.class);
  private static final long LOOK_MILLIS = 2_000;

  private final TlsFiles files;
  private final ScheduledThreadPoolExecutor watcher;
  private volatile SslContext context;

  /** What was loaded, or tried, last. Thread: watcher. */
  private List<FileTime> seen;

  /** Blocks on the files. */
  LiveTls(String member, TlsFiles files) throws IOException {
    this.files = files;
    this.seen = stamps();
    this.context = ServerTls.context(files);
    this.watcher =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "tidemark-" + member + "-certificates");
              thread.setDaemon(true);
              return thread;
            });
    var unused =
        watcher.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  SslContext context() {
    return context;
  }

  @Override
  public void close() {
    watcher.shutdownNow();
  }

  /** Thread: watcher. */
  void look() {
    try {
      List<FileTime> now = stamps();
      if (!now.equals(seen)) {
        seen = now;
        context = ServerTls.context(files);
        LOG.info("certificate of the client port loaded again from {}", files.certificates());
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("certificate of the client port stays as it was: {}", e.getMessage());
    }
  }

  private List<FileTime> stamps() throws IOException {
    List<FileTime> stamps = new ArrayList<>();
    List<Path> paths =
        Stream.of(files.certificates(), files.key(), files.clientAuthority())
            .filter(Objects::nonNull)
            .toList();
    for (Path path : paths) {
      try {
        stamps.add(Files.getLastModifiedTime(path));
      } catch (NoSuchFileException beingReplaced) {
        stamps.add(FileTime.fromMillis(0));
      }
    }
    return stamps;
  }
}
