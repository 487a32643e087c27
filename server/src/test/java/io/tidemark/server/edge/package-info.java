/** Probes of the edge over real sockets: what grpc-netty's internals must go on doing for us. */
@NullMarked
package io.tidemark.server.edge;

import org.jspecify.annotations.NullMarked;
