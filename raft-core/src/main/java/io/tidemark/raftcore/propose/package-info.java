/**
 * The way of a command into the log: coalescing, submitting or forwarding, deadlines, outcomes.
 *
 * <p>Must not know how the log is replicated. Owned by the proposer thread; callers only enqueue,
 * the completion thread only completes.
 */
@NullMarked
package io.tidemark.raftcore.propose;

import org.jspecify.annotations.NullMarked;
