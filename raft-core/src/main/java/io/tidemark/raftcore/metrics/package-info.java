/**
 * What a member measures of its log and its writes, and Ratis's own metrics, in the member's
 * dropwizard registry.
 *
 * <p>Lives here: the service that Ratis finds by {@code ServiceLoader}, counters without a mind of
 * their own, and how many lines of what they count go to the log. Thread-safe; calls come from any
 * Ratis thread.
 */
@NullMarked
package io.tidemark.raftcore.metrics;

import org.jspecify.annotations.NullMarked;
