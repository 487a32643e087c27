/**
 * What the client port answers to HTTP requests that are not gRPC: the seam between transport and
 * pages, and the pages themselves.
 *
 * <p>Knows nothing of Netty. Pages may be called on an event loop and must not block it: they
 * answer through a {@code CompletionStage}.
 */
@NullMarked
package io.tidemark.server.http;

import org.jspecify.annotations.NullMarked;
