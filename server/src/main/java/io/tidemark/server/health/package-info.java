/**
 * The standard gRPC health service.
 *
 * <p>Decides nothing that members have to agree on. {@code Member} is the only user. Callbacks run
 * on event loops and don't block.
 */
@NullMarked
package io.tidemark.server.health;

import org.jspecify.annotations.NullMarked;
