/**
 * Watch streams written down as they come: what was asked for, every answer and when it came.
 *
 * <p>Recording is thread-safe; a tape is immutable. Says nothing about what a right answer is. Used
 * by tests.
 */
@NullMarked
package io.tidemark.it.tape;

import org.jspecify.annotations.NullMarked;
