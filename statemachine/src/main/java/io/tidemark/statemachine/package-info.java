/**
 * Commands to outcomes, deterministically: keys, transactions, leases, auth, alarms, cluster
 * membership and quota, with their codec and format version.
 *
 * <p>Must not read a clock, a random source, configuration of one member, or anything else that
 * could differ between members; must not know Raft, gRPC or watchers. Depends on {@code mvcc} and
 * {@code api}; {@code raft-core} feeds it. State belongs to the apply thread.
 */
@NullMarked
package io.tidemark.statemachine;

import org.jspecify.annotations.NullMarked;
