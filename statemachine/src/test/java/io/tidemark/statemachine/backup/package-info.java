/** Backups written, read, restored and damaged on purpose. */
@NullMarked
package io.tidemark.statemachine.backup;

import org.jspecify.annotations.NullMarked;
