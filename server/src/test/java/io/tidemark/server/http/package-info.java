/** Tests of the pages, without a network. */
@NullMarked
package io.tidemark.server.http;

import org.jspecify.annotations.NullMarked;
