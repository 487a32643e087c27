/**
 * Ratis's own metrics in the member's dropwizard registry.
 *
 * <p>Lives here: the service that Ratis finds by {@code ServiceLoader}, and nothing of ours. Used
 * by the member's start only. Thread-safe; calls come from any Ratis thread.
 */
@NullMarked
package io.tidemark.raftcore.metrics;

import org.jspecify.annotations.NullMarked;
