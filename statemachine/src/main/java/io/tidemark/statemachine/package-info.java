/**
 * Commands to outcomes, deterministically: the log entry's bytes, the machine that applies them and
 * what applying gives.
 *
 * <p>Must not know Raft, gRPC or watchers, and must not ask a clock, a random source, the locale or
 * the environment: the same entries on the same state give the same bytes on every member, also
 * after a restart. What a client asks wrongly is an {@link io.tidemark.statemachine.Outcome}; an
 * exception is a fault of this member. {@code raft-core} depends on this package and owns its one
 * thread, the apply thread.
 */
@NullMarked
package io.tidemark.statemachine;

import org.jspecify.annotations.NullMarked;
