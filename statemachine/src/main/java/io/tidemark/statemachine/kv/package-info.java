/**
 * The rules of key-value requests that a read and an applied command share: compares, branch
 * choice, revision bounds and how an answer's bytes are put together.
 *
 * <p>Knows no store: it reads through {@link io.tidemark.statemachine.kv.KeySpace}. Only {@code
 * io.tidemark.statemachine} and its package {@code read} may depend on it. Holds no state, so any
 * thread may use it.
 */
@NullMarked
package io.tidemark.statemachine.kv;

import org.jspecify.annotations.NullMarked;
