package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;

/** Answers range queries: order, filters, limit, "more" and count. */
final class RangeAssembly {
  private static final int FIRST_CAPACITY = 512;

  private RangeAssembly() {}

  static RangePage answer(RevisionSource source, RangeQuery query) {
    long revision = source.resolve(query.revision());
    if (query.range().isEmpty()) {
      return RangePage.EMPTY;
    }
    if (query.countOnly()) {
      return new RangePage(ByteString.EMPTY, 0, source.count(query.range(), revision), false);
    }
    boolean byKeyAscending = query.target() == SortTarget.KEY && query.order() != SortOrder.DESCEND;
    if (!byKeyAscending) {
      return sorted(source, query, revision);
    }
    return query.bounds().isUnset()
        ? inKeyOrder(source, query, revision)
        : filtered(source, query, revision);
  }

  /** Reads no further than the limit; what is left is only counted. */
  private static RangePage inKeyOrder(RevisionSource source, RangeQuery query, long revision) {
    WireBuffer out = new WireBuffer(FIRST_CAPACITY);
    int size = 0;
    ByteString firstLeftOut = null;
    try (VisibleCursor cursor = source.cursor(query.range(), revision)) {
      while (cursor.next()) {
        if (query.limit() > 0 && size == query.limit()) {
          firstLeftOut = UnsafeByteOperations.unsafeWrap(cursor.key);
          break;
        }
        out.append(cursor, !query.keysOnly());
        size++;
      }
    }
    if (firstLeftOut == null) {
      return new RangePage(out.finish(), size, size, false);
    }
    long left = source.count(new KeyRange(firstLeftOut, query.range().rangeEnd()), revision);
    return new RangePage(out.finish(), size, size + left, true);
  }

  /** Reads on until one more row than the limit passes the filters, which the count ignores. */
  private static RangePage filtered(RevisionSource source, RangeQuery query, long revision) {
    WireBuffer out = new WireBuffer(FIRST_CAPACITY);
    int size = 0;
    long seen = 0;
    try (VisibleCursor cursor = source.cursor(query.range(), revision)) {
      while (cursor.next()) {
        seen++;
        if (!query.bounds().admit(cursor.mod, cursor.create)) {
          continue;
        }
        if (query.limit() > 0 && size == query.limit()) {
          return new RangePage(out.finish(), size, source.count(query.range(), revision), true);
        }
        out.append(cursor, !query.keysOnly());
        size++;
      }
    }
    return new RangePage(out.finish(), size, seen, false);
  }

  /**
   * Reads everything, then sorts. One combination differs: with no order, a target other than the
   * key, a limit and no filters, the first {@code limit + 1} keys are taken and only they are
   * sorted.
   */
  private static RangePage sorted(RevisionSource source, RangeQuery query, long revision) {
    boolean cutFirst =
        query.order() == SortOrder.NONE && query.bounds().isUnset() && query.limit() > 0;
    SortedRows rows = new SortedRows(query);
    long count = 0;
    long admitted = 0;
    try (VisibleCursor cursor = source.cursor(query.range(), revision)) {
      while (cursor.next()) {
        count++;
        if (query.bounds().admit(cursor.mod, cursor.create)) {
          admitted++;
          rows.add(cursor);
        }
        if (cutFirst && admitted > query.limit()) {
          break;
        }
      }
    }
    boolean more = query.limit() > 0 && admitted > query.limit();
    if (cutFirst && more) {
      count = source.count(query.range(), revision);
    }
    WireBuffer out = new WireBuffer(FIRST_CAPACITY);
    int size = rows.drainTo(out, !query.keysOnly());
    return new RangePage(out.finish(), size, count, more);
  }
}
