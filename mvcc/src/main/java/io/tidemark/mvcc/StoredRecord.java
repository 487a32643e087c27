package io.tidemark.mvcc;

import io.tidemark.api.mvccpb.KeyValue;

/**
 * One row of a store's history: what happened to a key at a revision.
 *
 * @param main main revision
 * @param sub place inside the revision, from 0
 * @param tombstone whether the key was deleted; the pair then holds the key and nothing else that
 *     matters
 * @param pair the key as it is from there on
 */
public record StoredRecord(long main, int sub, boolean tombstone, KeyValue pair) {}
