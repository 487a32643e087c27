/**
 * Tools for tests against real processes: the driver that starts members, per-link proxies, the
 * history recorder and its checkers.
 *
 * <p>Test cases stand under {@code src/test}. Nothing may depend on this module. Each recorder and
 * proxy names its own threads.
 */
@NullMarked
package io.tidemark.it;

import org.jspecify.annotations.NullMarked;
