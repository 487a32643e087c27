package io.tidemark.watch;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * One distinct range with everybody interested in exactly it, a node of the {@link SpanTree}.
 *
 * @param <M> who is interested
 */
final class KeySpan<M> {
  final KeyRange range;
  @Nullable InterestGroup<M> groups;

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
}
