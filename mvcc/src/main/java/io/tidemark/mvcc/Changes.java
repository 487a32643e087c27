package io.tidemark.mvcc;

import io.tidemark.api.mvccpb.KeyValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts changes together to a batch and accounts for their memory. */
final class Changes {
  private static final int BATCH_BYTES = 64;
  private static final int CHANGE_BYTES = 96;
  private static final int PAIR_BYTES = 64;

  private Changes() {}

  static RevisionBatch batch(long revision, List<Change> changes) {
    long bytes = BATCH_BYTES;
    for (Change change : changes) {
      bytes += CHANGE_BYTES + bytes(change.current()) + bytes(change.previous());
    }
    return new RevisionBatch(revision, changes, bytes);
  }

  private static long bytes(@Nullable KeyValue pair) {
    return pair == null ? 0 : PAIR_BYTES + pair.getKey().size() + pair.getValue().size();
  }
}
