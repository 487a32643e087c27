/**
 * What every service needs of the member behind it: the replica, response headers, the gate in
 * front of all calls, and the threads that reads run on.
 *
 * <p>No service logic and no transport. Used by the service packages; {@code Member} fills it in.
 */
@NullMarked
package io.tidemark.server.access;

import org.jspecify.annotations.NullMarked;
