/** The files of the console. */
@NullMarked
package io.tidemark.server.console;

import org.jspecify.annotations.NullMarked;
