/**
 * The transport: one listening port that speaks gRPC, HTTP/1.1 and plain HTTP/2, with or without
 * TLS.
 *
 * <p>Everything that leans on internal types of grpc-netty lives here and nowhere else. No service
 * logic: handlers come in from outside. {@code Member} is the only user. The event loops own every
 * handler; nothing in here blocks them.
 */
@NullMarked
package io.tidemark.server.edge;

import org.jspecify.annotations.NullMarked;
