/**
 * How a member process writes its log: one JSON object or one plain line per record. Only {@code
 * Main} may use it; an embedded member logs through whatever its host has set up.
 */
@NullMarked
package io.tidemark.server.log;

import org.jspecify.annotations.NullMarked;
