/**
 * Backups: a store as the file that etcd's snapshot tools read and write, and such a file as a new
 * store.
 *
 * <p>Knows etcd's buckets and the store's tables, through {@code mvcc}'s public interface alone;
 * must not know Raft, gRPC or RocksDB. {@code server} depends on it. Nothing here has a thread of
 * its own; everything blocks on the disk.
 */
@NullMarked
package io.tidemark.statemachine.backup;

import org.jspecify.annotations.NullMarked;
