/** Whole members in this JVM, met over real sockets. */
@NullMarked
package io.tidemark.server;

import org.jspecify.annotations.NullMarked;
