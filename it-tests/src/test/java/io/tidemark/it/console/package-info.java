/** The console in a real browser against real members. */
@NullMarked
package io.tidemark.it.console;

import org.jspecify.annotations.NullMarked;
