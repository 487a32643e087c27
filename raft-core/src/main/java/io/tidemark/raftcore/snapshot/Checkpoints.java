package io.tidemark.raftcore.snapshot;

import io.tidemark.mvcc.AppliedPosition;
import io.tidemark.raftcore.faultpoint.FaultPoint;
import io.tidemark.raftcore.metrics.SnapshotMetrics;
import io.tidemark.raftcore.settings.RaftLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a checkpoint in the background whenever enough log was applied since the last one, or
 * somebody new may come, publishes it as the latest snapshot and lets the log before the previous
 * one go.
 *
 * <p>Counting is the apply thread's; the rest runs on the background executor, one checkpoint at a
 * time, and waits for the disk alone. Ratis's own way, a request that its apply thread carries out,
 * is not taken: under steady writes that thread may not get to it for long, and then no log is
 * dropped.
 */
public final class Checkpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

  /** About what Ratis adds to an entry on disk: ids, term, index, checksum. */
  private static final int ENTRY_OVERHEAD_BYTES = 100;

  /**
   * A newcomer that would have to apply more entries than these is given a checkpoint of now: it is
   * a cold process, which applies more slowly than a warm leader writes.
   */
  private static final int NEWCOMER_ENTRIES = 2_000;

  private final CheckpointSource store;
  private final SnapshotStorage storage;
  private final Path building;
  private final RaftLimits limits;
  private final Executor background;
  private final LongConsumer purge;
  private final SnapshotMetrics metrics;
  private final AtomicBoolean running = new AtomicBoolean();
  private long bytes;
  private long entries;
  private boolean overdue;

  /**
   * Checkpoints of a store.
   *
   * @param building directory that each checkpoint is built in, on the file system of the snapshots
   * @param purge lets the log up to an index go; may block
   */
  public Checkpoints(
      CheckpointSource store,
      SnapshotStorage storage,
      Path building,
      RaftLimits limits,
      Executor background,
      LongConsumer purge,
      SnapshotMetrics metrics) {
    this.store = store;
    this.storage = storage;
    this.building = building;
    this.limits = limits;
    this.background = background;
    this.purge = purge;
    this.metrics = metrics;
  }

  /**
   * Counts the log that is there when the member starts, so that one that restarts again and again
   * before a checkpoint is due still drops old log. What one interval leaves behind is normal; with
   * two, everything up to the snapshot of the start is dispensable. Before the first {@link
   * #onApplied}; {@link #purgeAtStart} follows when the log is open.
   */
  public void startWith(long logBytes) {
    bytes = Math.max(0, logBytes - limits.snapshotBytes());
    overdue = bytes >= limits.snapshotBytes();
  }

  /** Drops what {@link #startWith} found to be too much. Thread: start-up. */
  public void purgeAtStart(long snapshotIndex) {
    if (overdue) {
      purge.accept(snapshotIndex);
    }
  }

  /** Counts an applied entry. Thread: apply. */
  public void onApplied(int entryBytes) {
    bytes += entryBytes + ENTRY_OVERHEAD_BYTES;
    entries++;
    boolean due =
        bytes >= limits.snapshotBytes()
            || (limits.snapshotEntries() > 0 && entries >= limits.snapshotEntries());
    if (due) {
      begin();
    }
  }

  /**
   * The members changed, so somebody new may come, who gets the latest checkpoint and every entry
   * after it. Any member may be the one that leads by then. Thread: apply.
   */
  public void onMembersChanged() {
    if (entries >= NEWCOMER_ENTRIES) {
      begin();
    }
  }

  private void begin() {
    if (!running.compareAndSet(false, true)) {
      return;
    }
    bytes = 0;
    entries = 0;
    try {
      background.execute(this::make);
    } catch (RejectedExecutionException e) {
      running.set(false); // stopping
    }
  }

  private void make() {
    long began = System.nanoTime();
    try {
      SnapshotFiles.delete(building);
      AppliedPosition position = store.checkpoint(building);
      FaultPoint.BEFORE_PUBLISH.hit();
      long dispensable = storage.publish(building, position);
      metrics.published(Duration.ofNanos(System.nanoTime() - began));
      FaultPoint.BEFORE_PURGE.hit();
      purge.accept(dispensable);
      storage.prune();
    } catch (IOException | RuntimeException e) {
      // The next one is due soon enough, and a store that really is broken fails the apply.
      metrics.failed();
      LOG.warn("no checkpoint this time", e);
    } finally {
      running.set(false);
    }
  }
}
