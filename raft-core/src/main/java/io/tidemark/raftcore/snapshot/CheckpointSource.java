package io.tidemark.raftcore.snapshot;

import io.tidemark.mvcc.AppliedPosition;
import java.nio.file.Path;

/** The store that checkpoints are made of. Any thread. */
public interface CheckpointSource {
  /** Position of the store. */
  AppliedPosition applied();

  /** Writes a consistent copy of the store; blocks on the disk. Returns the copy's position. */
  AppliedPosition checkpoint(Path target);
}
