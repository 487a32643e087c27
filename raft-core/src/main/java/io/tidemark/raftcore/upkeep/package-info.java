/**
 * What a member does of its own accord to keep the data in shape: history is given up by age or by
 * number, and what the members hold is hashed and compared.
 *
 * <p>Decides when; what happens goes through the log like everything else. Must not know Ratis.
 * Used by {@code io.tidemark.raftcore}, whose timer thread owns everything here but {@link
 * io.tidemark.raftcore.upkeep.Digests}, which has thread {@code tidemark-<member>-digest}.
 */
@NullMarked
package io.tidemark.raftcore.upkeep;

import org.jspecify.annotations.NullMarked;
