/** Tests of what administrators ask of a member. */
@NullMarked
package io.tidemark.server.maintenance;

import org.jspecify.annotations.NullMarked;
