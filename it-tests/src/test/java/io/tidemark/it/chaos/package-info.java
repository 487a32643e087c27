/** Killed, paused and cut-off members; histories are judged by the checkers. */
@NullMarked
package io.tidemark.it.chaos;

import org.jspecify.annotations.NullMarked;
