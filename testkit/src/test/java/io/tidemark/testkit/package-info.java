/** The kit under test: real members, real sockets, and a client that we didn't write. */
@NullMarked
package io.tidemark.testkit;

import org.jspecify.annotations.NullMarked;
