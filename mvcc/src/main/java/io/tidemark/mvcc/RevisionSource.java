package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Something that can be read at a revision: a view of the store, or an entry in the making. */
interface RevisionSource {
  /**
   * The revision to read at for one that was asked for; not positive asks for the newest.
   *
   * @throws RevisionException if it can't be read
   */
  long resolve(long asked);

  /** The version of {@code key} at a resolved revision; null if there was none. */
  @Nullable Version find(ByteString key, long resolved);

  /** The keys of {@code range}, which is not empty, at a resolved revision. */
  VisibleCursor cursor(KeyRange range, long resolved);

  /** Their number. */
  long count(KeyRange range, long resolved);

  /** Visits what is in {@code range}, ascending, until the visitor says false. */
  default void visit(KeyRange range, long asked, Predicate<KeyValue> visitor) {
    long resolved = resolve(asked);
    if (range.isEmpty()) {
      return;
    }
    try (VisibleCursor cursor = cursor(range, resolved)) {
      while (cursor.next()) {
        if (!visitor.test(cursor.toKeyValue())) {
          return;
        }
      }
    }
  }
}
