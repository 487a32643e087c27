/**
 * What a watch delivered, judged by the store's own account of what happened.
 *
 * <p>Knows nothing but the wire's messages, so that simulations inside a module and tests with real
 * processes are judged by the same rules. Pure; any thread. Used by tests only.
 */
@NullMarked
package io.tidemark.judge;

import org.jspecify.annotations.NullMarked;
