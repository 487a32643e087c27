package io.tidemark.raftcore.upkeep;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.mvcc.DigestCursor;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.peer.DigestAnswer;
import io.tidemark.raftcore.peer.DigestQuestion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hashes of this member's data, made in short slices with long pauses, one at a time. The newest
 * few are kept, so that whoever asks again is answered at once.
 *
 * <p>Any thread may ask; it opens a view at most. Hashing is done on a thread of its own.
 */
public final class Digests implements AutoCloseable {
  private static final int KEPT = 8;
  private static final int ROWS_AT_ONCE = 256;
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /** Pauses are so many times as long as the slices before them. */
  private static final int PAUSES = 4;

  private final Supplier<ReadView> views;
  private final ScheduledExecutorService thread;
  private final Consumer<RuntimeException> faults;
  private final Object lock = new Object();

  /** The eldest goes. */
  @GuardedBy("lock")
  private final Map<DigestQuestion, DigestAnswer> kept = new LinkedHashMap<>();

  @GuardedBy("lock")
  private @Nullable DigestQuestion running;

  @GuardedBy("lock")
  private boolean closed;

  /**
   * Nothing is hashed yet.
   *
   * @param thread one thread
   * @param faults hears when the store can't be read
   */
  public Digests(
      Supplier<ReadView> views,
      ScheduledExecutorService thread,
      Consumer<RuntimeException> faults) {
    this.views = views;
    this.thread = thread;
    this.faults = faults;
  }

  /** The hash if it is known; otherwise it is begun if that is possible now. */
  public DigestAnswer ask(DigestQuestion question) {
    synchronized (lock) {
      DigestAnswer known = kept.get(question);
      if (known != null) {
        return known;
      }
      if (running != null || closed) {
        return new DigestAnswer.Later(true);
      }
      DigestAnswer answer = begin(question);
      if (answer.equals(new DigestAnswer.Later(true))) {
        running = question;
      }
      return answer;
    }
  }

  private DigestAnswer begin(DigestQuestion question) {
    try (ReadView view = views.get()) {
      if (view.compactRevision() > question.compactRevision()) {
        return new DigestAnswer.Never();
      }
      if (view.revision() < question.revision()
          || view.compactRevision() < question.compactRevision()) {
        return new DigestAnswer.Later(false);
      }
      DigestCursor cursor = view.digestCursor(question.revision());
      thread.execute(() -> slice(question, cursor));
      return new DigestAnswer.Later(true);
    }
  }

  private void slice(DigestQuestion question, DigestCursor cursor) {
    try {
      long began = System.nanoTime();
      boolean done = false;
      while (!done && System.nanoTime() - began < SLICE_NANOS) {
        done = cursor.advance(ROWS_AT_ONCE);
      }
      if (done) {
        DigestAnswer hash = new DigestAnswer.Hash(cursor.digest().hash());
        cursor.close();
        ended(question, hash);
      } else if (!goesOn(question, cursor, PAUSES * (System.nanoTime() - began))) {
        cursor.close();
      }
    } catch (RuntimeException e) {
      cursor.close();
      faults.accept(e);
    }
  }

  private void ended(DigestQuestion question, DigestAnswer hash) {
    synchronized (lock) {
      running = null;
      kept.put(question, hash);
      if (kept.size() > KEPT) {
        kept.remove(kept.keySet().iterator().next());
      }
    }
  }

  private boolean goesOn(DigestQuestion question, DigestCursor cursor, long pauseNanos) {
    synchronized (lock) {
      if (!closed) {
        var unused =
            thread.schedule(() -> slice(question, cursor), pauseNanos, TimeUnit.NANOSECONDS);
      }
      return !closed;
    }
  }

  /** Nothing more is hashed; a slice that is waiting lets go of its view when its time comes. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
  }
}
