package io.tidemark.raftcore.ratis;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.AwaitToRun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closing a Ratis server, on a thread of its own.
 *
 * <p>Closing the log can wait for ever: it holds the log's write lock while it waits for the cache
 * eviction thread, which may be waiting for that lock. The wait ends when the closing thread is
 * interrupted, so that is done when it is seen there. After the log come connections, for which
 * Ratis waits seconds; that part isn't waited for.
 */
final class RatisClosing {
  private static final Logger LOG = LoggerFactory.getLogger(RatisClosing.class);
  private static final long LOOK_MILLIS = 200;
  private static final int LOOKS = 50;
  private static final long TIDY_MILLIS = 300;

  private final RaftServer.Division division;
  private final RaftServer server;
  private final Runnable last;
  private final CountDownLatch logClosed = new CountDownLatch(1);

  RatisClosing(RaftServer.Division division, RaftServer server, Runnable last) {
    this.division = division;
    this.server = server;
    this.last = last;
  }

  /** Returns whether the log is closed. */
  boolean run() {
    Thread closer = new Thread(this::close, "tidemark-" + division.getId() + "-ratis-close");
    closer.setDaemon(true);
    closer.start();
    try {
      for (int look = 0; look < LOOKS; look++) {
        if (logClosed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          closer.join(TIDY_MILLIS);
          return true;
        }
        if (waitsForEviction(closer)) {
          LOG.info("{}: freeing the log's closing from the eviction thread", division.getId());
          closer.interrupt();
        }
      }
      LOG.warn("{}: Ratis doesn't close", division.getId());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private void close() {
    try {
      division.close();
    } finally {
      logClosed.countDown();
    }
    Thread.interrupted(); // ours, from above; the rest may wait undisturbed
    try {
      server.close();
    } catch (IOException e) {
      LOG.warn("{}: closing Ratis", division.getId(), e);
    }
    last.run();
  }

  private static boolean waitsForEviction(Thread closer) {
    for (StackTraceElement frame : closer.getStackTrace()) {
      if (frame.getClassName().equals(AwaitToRun.class.getName())) {
        return true;
      }
    }
    return false;
  }
}
