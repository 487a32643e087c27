/** The page format, byte by byte. */
@NullMarked
package io.tidemark.statemachine.backup.bbolt;

import org.jspecify.annotations.NullMarked;
