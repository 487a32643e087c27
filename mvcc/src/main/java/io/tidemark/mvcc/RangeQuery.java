package io.tidemark.mvcc;

import java.util.Objects;

/**
 * A range read. {@code revision <= 0} means the newest one of what is read; {@code limit <= 0}
 * means no limit. {@code keysOnly} leaves the values out; {@code countOnly} leaves the entries out.
 */
public record RangeQuery(
    KeyRange range,
    long revision,
    long limit,
    SortOrder order,
    SortTarget target,
    boolean keysOnly,
    boolean countOnly,
    RevisionBounds bounds) {

  public RangeQuery {
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(order, "order");
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(bounds, "bounds");
  }

  /** Everything in {@code range} at {@code revision}, in key order. */
  public static RangeQuery of(KeyRange range, long revision) {
    return new RangeQuery(
        range, revision, 0, SortOrder.NONE, SortTarget.KEY, false, false, RevisionBounds.NONE);
  }
}
