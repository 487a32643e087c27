package io.tidemark.watch;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Carries catch-up jobs from the dispatcher to the cursor threads and back. There are never more
 * jobs than cursor threads, so both queues always have room.
 *
 * <p>Thread: {@link #hand} and {@link #finished} dispatcher, {@link #take} and {@link #done}
 * cursor.
 */
final class CursorHandoff {
  private final int jobsMax;
  private final Queue<CatchUp> handed;
  private final Queue<CatchUp> done;

  CursorHandoff(int cursorThreads) {
    this.jobsMax = cursorThreads;
    this.handed = new ArrayBlockingQueue<>(cursorThreads);
    this.done = new ArrayBlockingQueue<>(cursorThreads);
  }

  int jobsMax() {
    return jobsMax;
  }

  void hand(CatchUp job) {
    handed.add(job);
  }

  @Nullable CatchUp take() {
    return handed.poll();
  }

  void done(CatchUp job) {
    done.add(job);
  }

  @Nullable CatchUp finished() {
    return done.poll();
  }
}
