/**
 * Faults: a schedule of them that follows from a seed, and what does them to a cluster of
 * processes.
 *
 * <p>Every fault has to prove that it took effect, and is healed before the next one. One thread
 * drives them. Used by tests and by {@code scripts/chaos}.
 */
@NullMarked
package io.tidemark.it.nemesis;

import org.jspecify.annotations.NullMarked;
