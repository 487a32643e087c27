/** Keys, reads, limits and watches of a healthy cluster, over real sockets. */
@NullMarked
package io.tidemark.it.kv;

import org.jspecify.annotations.NullMarked;
