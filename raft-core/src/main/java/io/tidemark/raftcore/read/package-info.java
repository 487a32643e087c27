/**
 * The read barrier: index rounds on the leader, asking the leader from elsewhere, waiting for
 * apply.
 *
 * <p>Must not touch the store. State is guarded by the named lock of each class; callers never
 * block.
 */
@NullMarked
package io.tidemark.raftcore.read;

import org.jspecify.annotations.NullMarked;
