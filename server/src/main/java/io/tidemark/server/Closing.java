package io.tidemark.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has to be closed, last one first. A part that fails to close doesn't keep the others open.
 */
final class Closing {
  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  private record Part(String name, AutoCloseable close) {}

  @GuardedBy("this")
  private final ArrayDeque<Part> parts = new ArrayDeque<>();

  synchronized void add(String name, AutoCloseable part) {
    parts.push(new Part(name, part));
  }

  /** Blocks until all are closed; later calls find nothing left. */
  void run() {
    for (Part part = next(); part != null; part = next()) {
      try {
        part.close().close();
      } catch (Exception e) {
        LOG.warn("closing {} failed", part.name(), e);
      }
    }
  }

  private synchronized Part next() {
    return parts.poll();
  }
}
