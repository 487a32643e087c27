/**
 * Applying the log: the store and its command machine, and handing what was applied to watchers,
 * barriers and callers.
 *
 * <p>Must not know Ratis. Owned by the apply thread; reads may come from any thread.
 */
@NullMarked
package io.tidemark.raftcore.apply;

import org.jspecify.annotations.NullMarked;
