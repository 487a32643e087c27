package io.tidemark.mvcc;

import io.tidemark.api.mvccpb.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * What a key became at a revision.
 *
 * @param pair the key as it is from there on; null if it was deleted
 */
public record KeyVersion(long revision, @Nullable KeyValue pair) {}
