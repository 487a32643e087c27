/**
 * Revisions over RocksDB: put, range at a revision, delete-range, transaction view, compaction,
 * hash, history scan and checkpoint.
 *
 * <p>The only module that may import {@code org.rocksdb}. Must not know Raft, gRPC, leases or
 * watchers. {@code statemachine} writes through it, {@code watch} reads history from it. Writes
 * belong to the apply thread; read views are immutable and may be used from any thread until they
 * are closed.
 */
@NullMarked
package io.tidemark.mvcc;

import org.jspecify.annotations.NullMarked;
