package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * One thing a command did.
 *
 * @param before the version one revision earlier
 * @param supersedes whether this is the first change of the key in its revision, with a version
 *     before it
 */
record EntryEvent(ByteString key, Version version, @Nullable Version before, boolean supersedes) {

  Change toChange() {
    Version shown = version.create() == version.mod() ? null : before;
    KeyValue previous = shown == null ? null : shown.toKeyValue(key);
    return new Change(version.tombstone(), version.toKeyValue(key), previous);
  }
}
