package io.tidemark.mvcc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Builds the runs of finished revisions in the background, each level out of the one below. A run
 * is used only when its mark is written, with it or after it, so that an interrupted one is simply
 * built again. Counts are right whatever is built; without runs they read more rows.
 *
 * <p>Owner of the marks and of thread {@code tidemark-<member>-count}. It only writes rows that
 * nobody else writes, so it needs no coordination with the apply thread.
 */
final class RunBuilder implements AutoCloseable {
  // A look-back reads up to so many single revisions; waking up for each run would cost more.
  private static final int RUNS_AT_ONCE = 4;
  private static final int WRITE_BYTES = 256 * 1024;

  private final Engine engine;
  private final CountShape shape;
  private final Supplier<StoreState> states;
  private final Consumer<RuntimeException> faults;
  private final Thread thread;
  private final Object lock = new Object();
  private RunMarks marks;
  private RawBatch batch = new RawBatch(1024);

  @GuardedBy("lock")
  private long wakeAt;

  @GuardedBy("lock")
  private long revision;

  @GuardedBy("lock")
  private long finished;

  private volatile boolean stopped;

  RunBuilder(
      Engine engine,
      Supplier<StoreState> states,
      String member,
      Consumer<RuntimeException> faults) {
    this.engine = engine;
    this.shape = engine.shape();
    this.states = states;
    this.faults = faults;
    this.marks = RunMarks.decode(shape, engine.get(Family.META, RunMarks.key()));
    this.thread = new Thread(this::run, "tidemark-" + member + "-count");
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** The newest revision is now {@code newest}. Thread: apply; never blocks. */
  void advanced(long newest) {
    synchronized (lock) {
      revision = newest;
      if (newest >= wakeAt) {
        lock.notifyAll();
      }
    }
  }

  /** For tests: blocks until everything up to {@code newest} that makes a run is built. */
  void awaitBuilt(long newest) throws InterruptedException {
    synchronized (lock) {
      wakeAt = 0;
      lock.notifyAll();
      while (finished < newest && !stopped) {
        lock.wait();
      }
    }
  }

  private void run() {
    try {
      while (awaitRevisions()) {
        StoreState now = states.get();
        build(now);
        synchronized (lock) {
          finished = now.revision();
          lock.notifyAll();
        }
      }
    } catch (RuntimeException e) {
      faults.accept(e);
    }
  }

  private boolean awaitRevisions() {
    synchronized (lock) {
      while (!stopped && revision < wakeAt) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
      wakeAt = revision + (long) RUNS_AT_ONCE * shape.firstRun();
      return !stopped;
    }
  }

  private void build(StoreState now) {
    long complete = now.revision() + 1;
    for (int level = 1; level <= shape.levels() && !stopped; level++) {
      long stop = shape.runOf(level, complete);
      // A run with the compact revision inside can't be asked for: only later changes matter.
      long oldest = shape.runFrom(level, Math.max(0, now.compactRevision() + 1));
      long at = Math.max(marks.built(level), oldest);
      for (at = next(level, at, stop); at < stop && !stopped; at = next(level, at, stop)) {
        one(level, at);
        at += shape.revisions(level);
        mark(level, at);
        writeIfLarge();
      }
      mark(level, Math.min(at, stop));
      complete = marks.built(level);
      write();
    }
  }

  /** First run from {@code at} on that isn't empty; {@code stop} if there is none below. */
  private long next(int level, long at, long stop) {
    if (at >= stop) {
      return at;
    }
    byte[] from = CountLayout.runKey(level - 1, at);
    byte[] end = CountLayout.runKey(level - 1, stop);
    try (Scan scan = engine.scan(Family.COUNT, null, from, end, false)) {
      return scan.valid() ? shape.runOf(level, CountLayout.runFirst(scan.key())) : stop;
    }
  }

  private void one(int level, long first) {
    RunRows rows =
        new RunRows(
            level,
            (key, value) -> {
              batch.put(engine.familyId(Family.COUNT), key, value);
              writeIfLarge();
            });
    RunMerge merge = new RunMerge(engine, level, first, () -> stopped);
    merge.into((key, net) -> rows.add(first, key, net));
    rows.finish();
  }

  // Rows that are written without their mark don't exist yet.
  private void writeIfLarge() {
    if (batch.size() > WRITE_BYTES) {
      write();
    }
  }

  private void mark(int level, long built) {
    if (stopped || built <= marks.built(level)) {
      return;
    }
    marks = marks.with(level, built);
    batch.put(engine.familyId(Family.META), RunMarks.key(), marks.encode());
  }

  private void write() {
    if (batch.isEmpty()) {
      return;
    }
    engine.write(batch.toBytes());
    batch = new RawBatch(1024);
  }

  /** Stops at the next key. Blocks for that. */
  @Override
  public void close() {
    synchronized (lock) {
      stopped = true;
      lock.notifyAll();
    }
    Threads.join(thread);
  }
}
