/**
 * What a leader does for leases, and how every member reaches it: the lease clock, renewals, the
 * finding that a lease is over.
 *
 * <p>Proposes and never decides: whether a lease lives is a matter of the log. Knows no Ratis; the
 * way into the log is {@link io.tidemark.raftcore.lease.LeaderLog}. Used by {@code
 * io.tidemark.raftcore}, which owns the thread {@code tidemark-<member>-lease}.
 */
@NullMarked
package io.tidemark.raftcore.lease;

import org.jspecify.annotations.NullMarked;
