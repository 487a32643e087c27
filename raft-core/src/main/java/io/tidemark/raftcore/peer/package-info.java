/**
 * What members tell each other beside Ratis's own messages, on the same peer port.
 *
 * <p>Raw-byte gRPC methods on Ratis's shaded gRPC. Handlers run on gRPC threads and must not block.
 */
@NullMarked
package io.tidemark.raftcore.peer;

import org.jspecify.annotations.NullMarked;
