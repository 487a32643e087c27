package io.tidemark.server.concurrency;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.watch.EncodedEvent;
import io.tidemark.watch.WatchMessage;
import io.tidemark.watch.WatchSpec;
import io.tidemark.watch.WatchStream;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One watch at a time on keys of a queue. What comes is handed over on a read thread, one message
 * after the other; after {@link #stop} nothing comes any more. Any thread may call.
 */
final class KeyWatch implements AutoCloseable {
  private final Steps steps;
  private final Listener listener;
  private final BooleanSupplier takesMore;
  private final AtomicBoolean called = new AtomicBoolean();

  /** Held while messages are handed over. */
  private final Object turn = new Object();

  @GuardedBy("this")
  private @Nullable WatchStream stream;

  @GuardedBy("this")
  private boolean closed;

  /**
   * A watch on nothing yet.
   *
   * @param takesMore whether another message may be handed over; when it may again, call {@link
   *     #resume}
   */
  KeyWatch(Steps steps, Listener listener, BooleanSupplier takesMore) {
    this.steps = steps;
    this.listener = listener;
    this.takesMore = takesMore;
  }

  /** Thread: a read thread. */
  interface Listener {
    /** Something happened to the keys. The watch goes on until it is stopped. */
    void events(List<EncodedEvent> events);

    /** The watch has lost its place: read the keys again and watch from there. */
    void lost();

    /** The member can't go on with this call. */
    void failed(EtcdError error);
  }

  /** Watches from a revision on, in place of what was watched before. */
  synchronized void start(KeyRange range, long fromRevision, boolean deletesOnly) {
    stop();
    if (closed) {
      return;
    }
    WatchStream opened = steps.replica().watch().open(this::somethingCame);
    stream = opened;
    opened.create(new WatchSpec(range, fromRevision, 0, false, deletesOnly, false, false, false));
  }

  /** Ends the present watch, if there is one. */
  synchronized void stop() {
    if (stream != null) {
      stream.close();
      stream = null;
    }
  }

  /** Ends it for good. */
  @Override
  public synchronized void close() {
    closed = true;
    stop();
  }

  /** Hands over what waits. */
  void resume() {
    somethingCame();
  }

  private void somethingCame() {
    if (!called.compareAndSet(false, true)) {
      return;
    }
    try {
      steps.lane().execute(this::poll);
    } catch (RejectedExecutionException full) {
      called.set(false);
      listener.failed(EtcdError.TOO_MANY_REQUESTS);
    }
  }

  private void poll() {
    called.set(false);
    synchronized (turn) {
      for (WatchMessage message = next(); message != null; message = next()) {
        if (message instanceof WatchMessage.Events events) {
          listener.events(events.events());
        } else if (message instanceof WatchMessage.Compacted) {
          stop();
          listener.lost();
        }
      }
    }
  }

  private synchronized @Nullable WatchMessage next() {
    return stream == null || !takesMore.getAsBoolean() ? null : stream.poll();
  }
}
