/**
 * Answers from a pinned view of the store: ranges, read-only transactions, streamed ranges and the
 * member table.
 *
 * <p>Writes nothing and knows no log. The edge and {@code raft-core} depend on it, and {@code
 * io.tidemark.statemachine} for the rows of the member table. Everything here belongs to the thread
 * that holds the view; reads block on disk, so it must not be a network thread.
 */
@NullMarked
package io.tidemark.statemachine.read;

import org.jspecify.annotations.NullMarked;
