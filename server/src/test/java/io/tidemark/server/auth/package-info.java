@NullMarked
package io.tidemark.server.auth;

import org.jspecify.annotations.NullMarked;
