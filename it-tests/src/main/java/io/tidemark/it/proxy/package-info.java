/**
 * TCP proxies that stand between members, one per ordered pair, and can hold back bytes in either
 * direction.
 *
 * <p>Knows nothing about what flows through. Used by {@code rig}. Every connection has four threads
 * of its own; switches may be turned from any thread.
 */
@NullMarked
package io.tidemark.it.proxy;

import org.jspecify.annotations.NullMarked;
