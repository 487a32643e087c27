/**
 * The KV service: reads on pinned views, writes through the log.
 *
 * <p>Decides nothing that members have to agree on. {@code Member} is the only user. Callbacks run
 * on event loops and don't block.
 */
@NullMarked
package io.tidemark.server.kv;

import org.jspecify.annotations.NullMarked;
