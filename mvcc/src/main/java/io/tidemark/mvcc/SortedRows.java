package io.tidemark.mvcc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sorts the rows of a range answer and keeps only as many as the limit allows. Rows that are equal
 * in the target come in ascending key order, so that every member gives the same answer.
 */
final class SortedRows {
  private final Comparator<VisibleCursor> order;
  private final long limit;
  private final PriorityQueue<VisibleCursor> worstFirst;

  SortedRows(RangeQuery query) {
    Comparator<VisibleCursor> byTarget = by(query.target());
    Comparator<VisibleCursor> directed =
        query.order() == SortOrder.DESCEND ? byTarget.reversed() : byTarget;
    this.order = directed.thenComparing(SortedRows::compareKeys);
    this.limit = query.limit() > 0 ? query.limit() : Long.MAX_VALUE;
    this.worstFirst = new PriorityQueue<>(order.reversed());
  }

  void add(VisibleCursor row) {
    if (worstFirst.size() >= limit) {
      if (order.compare(row, worstFirst.element()) >= 0) {
        return;
      }
      worstFirst.remove();
    }
    worstFirst.add(new KeptRow(row));
  }

  /** Appends the rows in order and returns their number. */
  int drainTo(WireBuffer out, boolean withValues) {
    List<VisibleCursor> rows = new ArrayList<>(worstFirst);
    rows.sort(order);
    for (VisibleCursor row : rows) {
      out.append(row, withValues);
    }
    return rows.size();
  }

  private static Comparator<VisibleCursor> by(SortTarget target) {
    return switch (target) {
      case KEY -> SortedRows::compareKeys;
      case VERSION -> Comparator.comparingLong(row -> row.version);
      case CREATE -> Comparator.comparingLong(row -> row.create);
      case MOD -> Comparator.comparingLong(row -> row.mod);
      case VALUE -> SortedRows::compareValues;
    };
  }

  private static int compareKeys(VisibleCursor a, VisibleCursor b) {
    return Arrays.compareUnsigned(a.key, b.key);
  }

  private static int compareValues(VisibleCursor a, VisibleCursor b) {
    return Arrays.compareUnsigned(
        a.buffer,
        a.valueOffset,
        a.valueOffset + a.valueLength,
        b.buffer,
        b.valueOffset,
        b.valueOffset + b.valueLength);
  }

  /** A row that stays while the cursor moves on. */
  private static final class KeptRow extends VisibleCursor {
    KeptRow(VisibleCursor row) {
      showSameAs(row);
    }

    @Override
    boolean next() {
      return false;
    }

    @Override
    public void close() {}
  }
}
