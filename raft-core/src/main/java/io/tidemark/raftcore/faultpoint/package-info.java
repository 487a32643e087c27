/**
 * Named places at which a test can make a member wait or die, from outside, in gofail's words.
 *
 * <p>Off unless a program turns them on; then they are one table for the whole JVM. Any package of
 * this module and those above may have such places. Any thread.
 */
@NullMarked
package io.tidemark.raftcore.faultpoint;

import org.jspecify.annotations.NullMarked;
