/**
 * Members as real processes: starting, watching their output, stopping them kindly or not.
 *
 * <p>No requests are made here. Used by {@code rig} and by tests. A process value may be used from
 * any thread; each launch has one reader thread for its output.
 */
@NullMarked
package io.tidemark.it.process;

import org.jspecify.annotations.NullMarked;
