/**
 * Ratis's configuration follows the replicated member table; leaving and arriving.
 *
 * <p>Decides what the configuration should become next, whether a change may be proposed, when a
 * removed member may go, and what a member is at its start. Must not know Ratis: the configuration
 * is reached through {@link io.tidemark.raftcore.membership.Group}. Used by {@code
 * io.tidemark.raftcore} and {@code ratis} alone. Each stateful class belongs to the timer thread.
 */
@NullMarked
package io.tidemark.raftcore.membership;

import org.jspecify.annotations.NullMarked;
