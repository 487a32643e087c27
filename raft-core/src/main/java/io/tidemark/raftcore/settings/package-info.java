/**
 * What a member is started with: ids, addresses, timing and the sizes of log and write path.
 *
 * <p>Values only, immutable, checked in their constructors; {@link
 * io.tidemark.raftcore.settings.Surroundings} holds the two functions that a process brings. Anyone
 * may depend on it; it depends on the limits of the store and of the watches alone.
 */
@NullMarked
package io.tidemark.raftcore.settings;

import org.jspecify.annotations.NullMarked;
