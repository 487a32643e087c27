package io.tidemark.raftcore.snapshot;

import io.tidemark.mvcc.AppliedPosition;
import io.tidemark.raftcore.settings.RaftLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a checkpoint in the background whenever enough log was applied since the last one, and has
 * Ratis take it as a snapshot.
 *
 * <p>Counting is the apply thread's; the checkpoint runs on the background executor, one at a time.
 */
public final class Checkpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

  private final CheckpointSource store;
  private final SnapshotStorage storage;
  private final Path building;
  private final RaftLimits limits;
  private final Executor background;
  private final Runnable publish;
  private final AtomicBoolean running = new AtomicBoolean();
  private long bytes;
  private long entries;

  /**
   * Checkpoints of a store.
   *
   * @param building directory that each checkpoint is built in, on the file system of the snapshots
   * @param publish asks Ratis to take a snapshot; may block
   */
  public Checkpoints(
      CheckpointSource store,
      SnapshotStorage storage,
      Path building,
      RaftLimits limits,
      Executor background,
      Runnable publish) {
    this.store = store;
    this.storage = storage;
    this.building = building;
    this.limits = limits;
    this.background = background;
    this.publish = publish;
  }

  /** Counts an applied entry. Thread: apply. */
  public void onApplied(int entryBytes) {
    bytes += entryBytes;
    entries++;
    boolean due =
        bytes >= limits.snapshotBytes()
            || (limits.snapshotEntries() > 0 && entries >= limits.snapshotEntries());
    if (due && running.compareAndSet(false, true)) {
      bytes = 0;
      entries = 0;
      try {
        background.execute(this::make);
      } catch (RejectedExecutionException e) {
        running.set(false); // stopping
      }
    }
  }

  private void make() {
    try {
      SnapshotFiles.delete(building);
      AppliedPosition position = store.checkpoint(building);
      storage.offer(building, position);
      publish.run();
      storage.prune();
    } catch (IOException | RuntimeException e) {
      // The next one is due soon enough, and a store that really is broken fails the apply.
      LOG.warn("no checkpoint this time", e);
    } finally {
      running.set(false);
    }
  }
}
