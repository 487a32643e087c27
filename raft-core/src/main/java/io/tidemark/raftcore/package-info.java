/**
 * Consensus: the adapter to Apache Ratis, the proposer, forwarding, the read barrier, membership
 * change, snapshot install and leadership.
 *
 * <p>The only module that may import {@code org.apache.ratis}. Must not know gRPC services of the
 * client edge. Ratis calls into the state machine on its own updater thread, which is our apply
 * thread; each other mutable object names its owner thread or lock.
 */
@NullMarked
package io.tidemark.raftcore;

import org.jspecify.annotations.NullMarked;
