/**
 * A bare gRPC client for one member: one attempt per call, nothing retried, every answer kept as it
 * came.
 *
 * <p>Judges nothing. Used by {@code rig}, {@code history} and tests. Callbacks run on gRPC's
 * threads; recorded answers may be read from any thread.
 */
@NullMarked
package io.tidemark.it.client;

import org.jspecify.annotations.NullMarked;
