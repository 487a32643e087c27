package io.tidemark.mvcc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Revisions over RocksDB.
 *
 * <p>One thread writes, the apply thread: {@link #begin}, {@link #advance} and everything on {@link
 * EntryBatch}. Everything else may be called from any thread. There is no log of its own: what was
 * not flushed is lost with the process, always as whole entries, and the caller replays its log
 * from {@link #applied()} on.
 *
 * <p>Throws {@link StoreFault} when the storage engine fails; the store must not be used further
 * then.
 */
public final class MvccStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MvccStore.class);
  // An empty store isn't of size zero: clients divide by it.
  private static final long EMPTY_BYTES = 16 * 1024;

  private final Path directory;
  private final Engine engine;
  private final ReadOptions applyReads = new ReadOptions();
  private final Sweeper sweeper;
  private final FlushLoop flushes;
  private final RunBuilder runs;
  private final Object lifecycle = new Object();

  @GuardedBy("lifecycle")
  private @Nullable SharedSnapshot shared;

  @GuardedBy("lifecycle")
  private boolean closed;

  private volatile StoreState state;
  private volatile @Nullable RuntimeException fault;

  // Apply thread.
  private final CountBuckets buckets;
  private @Nullable EntryBatch open;

  private MvccStore(Path directory, Engine engine, MvccLimits limits, String member) {
    this.directory = directory;
    this.engine = engine;
    this.state = readState(engine);
    this.sweeper = new Sweeper(engine, limits, readSweep(engine), member, this::failed);
    this.flushes = new FlushLoop(engine, limits, member, this::failed);
    this.runs = new RunBuilder(engine, () -> state, member, this::failed);
    this.buckets = new CountBuckets(engine);
  }

  /** As {@link #open(Path, MvccLimits, String)}, for a store that belongs to no member. */
  public static MvccStore open(Path directory, MvccLimits limits) {
    return open(directory, limits, "store");
  }

  /**
   * Opens the store in {@code directory}, which is made if it isn't there, and starts its threads.
   * Blocks on the disk for a time that doesn't depend on the number of keys.
   *
   * @param member names the threads: {@code tidemark-<member>-<role>}
   */
  public static MvccStore open(Path directory, MvccLimits limits, String member) {
    return open(directory, limits, member, CountShape.DEFAULT);
  }

  /** For tests, which want small shapes. */
  static MvccStore open(Path directory, MvccLimits limits, String member, CountShape shape) {
    Engine engine = Engine.open(directory, limits, shape);
    try {
      StoreFormat.check(engine, directory);
      MvccStore store = new MvccStore(directory, engine, limits, member);
      store.sweeper.start(store.state.compactRevision());
      store.flushes.start();
      store.runs.start();
      return store;
    } catch (RuntimeException e) {
      engine.release();
      throw e;
    }
  }

  /** Position of the last entry this store contains. */
  public AppliedPosition applied() {
    return state.applied();
  }

  /** Newest readable revision; 1 for an empty store. */
  public long revision() {
    return state.revision();
  }

  /** Oldest readable revision; -1 when never compacted. */
  public long compactRevision() {
    return state.compactRevision();
  }

  /** A view of what is committed; the caller closes it. Views of one state share one snapshot. */
  public ReadView view() {
    synchronized (lifecycle) {
      requireOpen();
      SharedSnapshot current = shared;
      if (current == null || !current.reader().state().equals(state) || !current.retain()) {
        current = SharedSnapshot.take(engine);
        shared = current;
      }
      return new ReadView(current);
    }
  }

  /** Begins the entry at {@code index}, which must be newer than what is applied. Thread: apply. */
  public EntryBatch begin(long term, long index) {
    checkNext(index);
    EntryBatch batch =
        new EntryBatch(this, new StoreReader(engine, null, applyReads, state), term, index);
    open = batch;
    return batch;
  }

  /** Moves the position over an entry without commands. Thread: apply. */
  public void advance(long term, long index) {
    checkNext(index);
    StoreState now = state;
    StoreState next =
        new StoreState(term, index, now.revision(), now.compactRevision(), now.writtenBytes());
    write(next, new EntryRows(engine).finish(next), 0);
  }

  /** Brings everything committed so far to disk. Blocks. */
  public void flush() {
    withEngine(
        () -> {
          flushes.restart();
          engine.flush();
        });
  }

  /**
   * Flushes, then makes a copy of the store in {@code target}, which must not exist, mostly of hard
   * links. Blocks; reads and writes go on.
   *
   * @return the position inside the finished copy
   */
  public AppliedPosition checkpoint(Path target) {
    withEngine(
        () -> {
          flushes.restart();
          engine.flush();
          engine.checkpoint(target);
        });
    return positionOf(target);
  }

  /** The position inside a copy that {@link #checkpoint} made; leaves the copy as it is. */
  public static AppliedPosition positionOf(Path checkpointDirectory) {
    return CheckpointPosition.read(checkpointDirectory);
  }

  /**
   * Size of all keys and values the store holds, superseded ones that aren't removed yet included,
   * and the small rows that go with each change.
   */
  public long logicalBytes() {
    return EMPTY_BYTES + Math.max(0, state.writtenBytes() - sweeper.state().removedBytes());
  }

  /** As {@link #logicalBytes()}, less what the running compaction has already given up. */
  public long logicalBytesInUse() {
    return Math.max(EMPTY_BYTES, logicalBytes() - sweeper.state().doomedBytes());
  }

  /**
   * Completes when everything that compaction up to {@code revision} made superfluous is removed.
   * Completes on a thread of the store, so continue elsewhere; fails when the store is closed
   * first.
   */
  public CompletableFuture<Void> physicalCompaction(long revision) {
    return sweeper.swept(revision);
  }

  /**
   * Completes when the files are released: with close, or with the last view that is still open.
   */
  public CompletableFuture<Void> released() {
    return engine.released().copy();
  }

  /**
   * Stops the threads, flushes and closes. Blocks for that. Views that are still open stay usable
   * and keep the files open.
   */
  @Override
  public void close() {
    close(true);
  }

  /** As if the process had been killed: what isn't flushed is lost. */
  public void closeWithoutFlush() {
    close(false);
  }

  /**
   * For a process that ends before this is closed: its exit would wait for what the engine does in
   * the background, a compaction of gigabytes perhaps. Writes may fail from now on. Any thread.
   */
  public void endBackgroundWork() {
    engine.endBackgroundWork();
  }

  private void close(boolean flush) {
    synchronized (lifecycle) {
      if (closed) {
        return;
      }
      closed = true;
    }
    engine.hurry();
    sweeper.close();
    runs.close();
    flushes.close();
    try {
      if (!flush) {
        engine.forgetUnflushedOnClose();
      } else if (fault == null) {
        engine.flush();
      }
    } finally {
      applyReads.close();
      engine.release();
    }
  }

  void commit(EntryBatch batch, StoreState next, byte[] rows, int commands) {
    if (open != batch) {
      throw new IllegalStateException("another entry is under way");
    }
    open = null;
    boolean compacted = next.compactRevision() != state.compactRevision();
    write(next, rows, commands);
    if (compacted) {
      sweeper.compacted(next.compactRevision());
    }
  }

  void discard(EntryBatch batch) {
    if (open == batch) {
      open = null;
    }
  }

  private void write(StoreState next, byte[] rows, int commands) {
    RuntimeException earlier = fault;
    if (earlier != null) {
      throw new StoreFault("the store has failed before", earlier);
    }
    engine.write(rows);
    state = next;
    flushes.written(rows.length, commands);
    runs.advanced(next.revision());
  }

  private void checkNext(long index) {
    if (open != null) {
      throw new IllegalStateException("another entry is under way");
    }
    if (index <= state.index()) {
      throw new IllegalArgumentException(
          "entry " + index + " comes after entry " + state.index() + " was applied");
    }
  }

  private void withEngine(Runnable action) {
    synchronized (lifecycle) {
      requireOpen();
      engine.retain();
    }
    try {
      action.run();
    } finally {
      engine.release();
    }
  }

  @GuardedBy("lifecycle")
  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
  }

  private void failed(RuntimeException e) {
    LOG.error("background work on the store in {} failed", directory, e);
    fault = e;
  }

  private static StoreState readState(Engine engine) {
    byte[] row = engine.get(Family.META, StoreState.key());
    return row == null ? StoreState.INITIAL : StoreState.decode(row);
  }

  private static SweepState readSweep(Engine engine) {
    byte[] row = engine.get(Family.META, SweepState.key());
    return row == null ? SweepState.INITIAL : SweepState.decode(row);
  }

  /** Thread: apply. */
  CountBuckets buckets() {
    return buckets;
  }

  /** For tests. */
  RunBuilder runs() {
    return runs;
  }

  /** For tests. */
  Engine engine() {
    return engine;
  }

  /** For tests. */
  FlushLoop flushes() {
    return flushes;
  }
}
