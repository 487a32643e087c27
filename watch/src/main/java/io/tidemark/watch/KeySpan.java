package io.tidemark.watch;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.KeyRange;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * One distinct key or range with everybody interested in exactly it; as a range, a node of the
 * {@link SpanTree}.
 *
 * @param <M> who is interested
 */
final class KeySpan<M> {
  final KeyRange range;
  final ArrayList<InterestGroup<M>> groups = new ArrayList<>(1);

  /** Exclusive end; null reaches over all keys. */
  final @Nullable ByteString end;

  final int priority;
  @Nullable KeySpan<M> left;
  @Nullable KeySpan<M> right;

  /** The furthest end in this subtree; null reaches over all keys. */
  @Nullable ByteString furthestEnd;

  KeySpan(KeyRange range, int priority) {
    this.range = range;
    this.end = range.isUnbounded() ? null : range.rangeEnd();
    this.furthestEnd = end;
    this.priority = priority;
  }

  InterestGroup<M> group(WatchSpec spec) {
    for (InterestGroup<M> group : groups) {
      if (group.serves(spec)) {
        return group;
      }
    }
    InterestGroup<M> group = new InterestGroup<>(this, spec);
    groups.add(group);
    return group;
  }
}
