/**
 * A recording and what is wrong with it, for people (one HTML page that needs nothing else) and for
 * programs (JSON).
 *
 * <p>Pure: text out of values. Used by {@code chaosrun}.
 */
@NullMarked
package io.tidemark.it.report;

import org.jspecify.annotations.NullMarked;
