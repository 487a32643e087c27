package io.tidemark.mvcc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Collects the rows of the smallest revisions of a span, as many as fit the memory. When it is full
 * it gives up the newer half and ends there. One thread.
 */
final class RevisionWindow {
  private static final int ROW_BYTES = 80;

  /**
   * A row's place.
   *
   * @param key its key in {@code hist} if superseded, else in {@code cur}
   */
  record Row(long main, byte[] key, boolean superseded) {}

  private final long from;
  private long end;
  private long memoryBytes;
  private List<Row> rows = new ArrayList<>();
  private long bytes;

  RevisionWindow(long from, long end, long memoryBytes) {
    this.from = from;
    this.end = end;
    this.memoryBytes = memoryBytes;
  }

  boolean admits(long main) {
    return main >= from && main < end;
  }

  void add(long main, byte[] key, boolean superseded) {
    rows.add(new Row(main, key, superseded));
    bytes += ROW_BYTES + key.length;
    if (bytes > memoryBytes) {
      shrink();
    }
  }

  /** What was collected, ascending by main revision. */
  List<Row> rows() {
    sort();
    return rows;
  }

  /** The first revision that isn't part of it. */
  long end() {
    return end;
  }

  private void shrink() {
    sort();
    long middle = rows.get(rows.size() / 2).main();
    if (middle == rows.get(0).main()) {
      memoryBytes *= 2; // one revision, which has to stay in one piece
      return;
    }
    end = middle;
    List<Row> older = new ArrayList<>(rows.size() / 2 + 1);
    bytes = 0;
    for (Row row : rows) {
      if (row.main() < end) {
        older.add(row);
        bytes += ROW_BYTES + row.key().length;
      }
    }
    rows = older;
  }

  private void sort() {
    rows.sort(Comparator.comparingLong(Row::main));
  }
}
