/**
 * {@code v3lockpb.Lock} and {@code v3electionpb.Election}: queues of keys that hang on leases, as
 * the recipes of etcd's clients build them, so that both kinds of callers may stand in one queue.
 *
 * <p>Over the member's own reads, writes and watches; knows nothing that a client could not do. A
 * caller that waits takes no thread: the watch dispatcher and the read threads move it on.
 */
@NullMarked
package io.tidemark.server.concurrency;

import org.jspecify.annotations.NullMarked;
