/**
 * What can be told wrong about a request without looking at any key: asked at the edge before a
 * request is proposed, and again when its entry is applied.
 *
 * <p>Knows no store and must stay free of state, so any thread may use it. The edge, {@code
 * raft-core} and {@code io.tidemark.statemachine} depend on it.
 */
@NullMarked
package io.tidemark.statemachine.request;

import org.jspecify.annotations.NullMarked;
