package io.tidemark.raftcore.ratis;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.AwaitToRun;
import org.apache.ratis.util.DataBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closing a Ratis server, on a thread of its own.
 *
 * <p>Closing the log can wait for ever: it holds the log's write lock while it waits for the cache
 * eviction thread, which may be waiting for that lock. The wait ends when the closing thread is
 * interrupted, so that is done when it is seen there. The log's worker looks only once a second
 * whether it may end, while it waits for something to write; an interrupt ends that wait too. After
 * the log come connections, for which Ratis waits seconds; that part isn't waited for.
 */
final class RatisClosing {
  private static final Logger LOG = LoggerFactory.getLogger(RatisClosing.class);
  private static final long LOOK_MILLIS = 20;
  private static final int LOOKS = 500;
  private static final long TIDY_MILLIS = 300;

  /** Not public. */
  private static final String WORKER =
      "org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogWorker";

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
        free(closer);
      }
      LOG.warn("{}: Ratis doesn't close", division.getId());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private void free(Thread closer) {
    for (StackTraceElement frame : closer.getStackTrace()) {
      if (frame.getClassName().equals(AwaitToRun.class.getName())) {
        LOG.info("{}: freeing the log's closing from the eviction thread", division.getId());
        closer.interrupt();
        return;
      }
      if (frame.getClassName().equals(WORKER) && frame.getMethodName().equals("close")) {
        wakeIdleWorker();
        return;
      }
    }
  }

  /** It has been told to end, and does so unless it is asleep: then it holds nothing. */
  private void wakeIdleWorker() {
    String name =
        division.getMemberId() + WORKER.substring(WORKER.lastIndexOf('.')).replace('.', '-');
    Thread.getAllStackTraces()
        .forEach(
            (thread, frames) -> {
              if (thread.getName().startsWith(name) && isPolling(frames)) {
                thread.interrupt();
              }
            });
  }

  private static boolean isPolling(StackTraceElement[] frames) {
    for (StackTraceElement frame : frames) {
      if (frame.getClassName().equals(DataBlockingQueue.class.getName())) {
        return frame.getMethodName().equals("poll");
      }
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
}
