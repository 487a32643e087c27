/**
 * One run of chaos from the command line to the verdict: load, faults by schedule, judgement,
 * files.
 *
 * <p>{@code scripts/chaos} starts it; the gate runs a short form of it in its own JVM.
 */
@NullMarked
package io.tidemark.it.chaosrun;

import org.jspecify.annotations.NullMarked;
