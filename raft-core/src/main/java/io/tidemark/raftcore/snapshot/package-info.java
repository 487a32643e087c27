/**
 * The live store's directories, checkpoints, and the snapshots that Ratis ships.
 *
 * <p>Checkpoints are made on the background thread and published on the apply thread; a shipped one
 * is swapped in on the apply thread.
 */
@NullMarked
package io.tidemark.raftcore.snapshot;

import org.jspecify.annotations.NullMarked;
