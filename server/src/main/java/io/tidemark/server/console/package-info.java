/**
 * The console: a page at {@code /console} for people, and what it asks beside etcd's own services.
 *
 * <p>The page is static files in {@code src/main/resources/console}, read once; it talks to this
 * member only, through the JSON gateway, so that who may see what is decided where it is decided
 * for every other client. Nothing here writes. Knows no transport; {@code MemberWiring} is the only
 * user. Calls come on event loops; reads run on read threads.
 */
@NullMarked
package io.tidemark.server.console;

import org.jspecify.annotations.NullMarked;
