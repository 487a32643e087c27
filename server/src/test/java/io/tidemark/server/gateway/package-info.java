/**
 * The JSON gateway without a network: messages, errors, routes, and one call with a slow client.
 */
@NullMarked
package io.tidemark.server.gateway;

import org.jspecify.annotations.NullMarked;
