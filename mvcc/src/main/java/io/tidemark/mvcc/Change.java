package io.tidemark.mvcc;

import io.tidemark.api.mvccpb.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * One put or deletion inside a revision.
 *
 * @param deletion whether the key was deleted
 * @param current the new pair; for a deletion only the key and the deletion's revision
 * @param previous the pair as it was one revision before; null for a put that created the key, for
 *     a deletion of a key that was not there then, when compaction took it, or when it was not
 *     asked for
 */
public record Change(boolean deletion, KeyValue current, @Nullable KeyValue previous) {}
