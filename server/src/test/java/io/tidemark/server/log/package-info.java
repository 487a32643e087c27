/** Tests of the log's format. */
@NullMarked
package io.tidemark.server.log;

import org.jspecify.annotations.NullMarked;
