/**
 * Calls of the gRPC API on raw bytes: how a request is received, how a reply is put together from
 * ready pieces without an object per key, and how errors become a gRPC status.
 *
 * <p>No service logic. Used by the service packages. Callbacks run on event loops unless said
 * otherwise.
 */
@NullMarked
package io.tidemark.server.rpc;

import org.jspecify.annotations.NullMarked;
