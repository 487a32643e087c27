/**
 * The file format of bbolt: pages of a B+tree, written once in order, and read with every number
 * checked.
 *
 * <p>Knows buckets, keys and values as bytes; must not know what they mean, the store or the
 * cluster. {@code backup} is the only user. Nothing here has a thread of its own.
 */
@NullMarked
package io.tidemark.statemachine.backup.bbolt;

import org.jspecify.annotations.NullMarked;
