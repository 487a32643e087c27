/** Unmodified clients of the original product, and our own command line. */
@NullMarked
package io.tidemark.it.clients;

import org.jspecify.annotations.NullMarked;
