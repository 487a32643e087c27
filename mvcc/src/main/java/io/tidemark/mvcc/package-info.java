/**
 * Revisions over RocksDB: put, range at a revision, delete-range, transaction view, compaction,
 * hash, history scan and checkpoint.
 *
 * <p>Counts of keys are kept, not found by scanning: {@code CountBuckets} writes those of now with
 * each entry, {@code RunBuilder} sums up changes in the background, {@code LiveCount} and {@code
 * Turnover} read them. docs/adr/0004-storage-layout.md says why.
 *
 * <p>The only module that may import {@code org.rocksdb}. Must not know Raft, gRPC, leases or
 * watchers. {@code statemachine} writes through it, {@code watch} reads history from it. Writes
 * belong to the apply thread; read views are immutable and may be used from any thread until they
 * are closed.
 */
@NullMarked
package io.tidemark.mvcc;

import org.jspecify.annotations.NullMarked;
