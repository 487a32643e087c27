/**
 * The JSON gateway: paths under {@code /v3/} become calls of the same methods that gRPC clients
 * reach, with the same handlers, checks and limits. Nothing is served twice: a request is turned
 * into the bytes of its message, the reply's bytes into JSON.
 *
 * <p>No service logic and no transport; {@code Member} is the only user. Calls live on the event
 * loop of their connection; large replies are turned into JSON on a read thread.
 */
@NullMarked
package io.tidemark.server.gateway;

import org.jspecify.annotations.NullMarked;
