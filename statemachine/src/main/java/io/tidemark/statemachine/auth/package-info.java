/**
 * Users, roles and what they allow: the state that all members share, the changes that the log
 * brings, and the questions whether somebody may do something.
 *
 * <p>Knows rows and requests, not commands, tokens' life times or passwords: those are checked at
 * the edge, and only a hash comes this far. The apply thread owns the changes; the state itself is
 * immutable and {@link io.tidemark.statemachine.auth.Authority} shows the newest one to any thread.
 * Used by {@code statemachine}, {@code raft-core} (hands the authority on) and {@code server}.
 */
@NullMarked
package io.tidemark.statemachine.auth;

import org.jspecify.annotations.NullMarked;
