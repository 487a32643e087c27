/**
 * The Watch service: one call is one stream of watchers, pulled by the transport.
 *
 * <p>Decides nothing that members have to agree on. {@code Member} is the only user. Callbacks run
 * on event loops and don't block.
 */
@NullMarked
package io.tidemark.server.watch;

import org.jspecify.annotations.NullMarked;
