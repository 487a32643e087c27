/** Tests of what all services share. */
@NullMarked
package io.tidemark.server.access;

import org.jspecify.annotations.NullMarked;
