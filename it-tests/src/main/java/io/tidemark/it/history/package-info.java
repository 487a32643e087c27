/**
 * Recorded histories and their judges: what clients attempted, what the store says happened, and
 * whether the two agree.
 *
 * <p>Every response carries a revision, so histories are replayed by revision; nothing is searched.
 * The judges are pure. Recording is thread-safe. Used by tests.
 */
@NullMarked
package io.tidemark.it.history;

import org.jspecify.annotations.NullMarked;
