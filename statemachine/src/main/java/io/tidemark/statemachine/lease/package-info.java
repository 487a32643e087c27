/**
 * Leases: who has one, when it was last renewed, and which keys it holds.
 *
 * <p>Everything is decided by the log. Time is the lease clock, in milliseconds, that the leader
 * writes into it; nothing here asks a clock. The rows of the store are the truth, {@link
 * io.tidemark.statemachine.lease.LeaseTable} a copy of the short ones in memory. Knows the store
 * and neither commands nor their outcomes. {@code io.tidemark.statemachine} applies with it on the
 * apply thread; {@code raft-core} and the edge read from it.
 */
@NullMarked
package io.tidemark.statemachine.lease;

import org.jspecify.annotations.NullMarked;
