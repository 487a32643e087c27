/** Tests of what all services share. */
@NullMarked
package io.tidemark.server.rpc;

import org.jspecify.annotations.NullMarked;
