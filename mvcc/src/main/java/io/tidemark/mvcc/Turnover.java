package io.tidemark.mvcc;

import org.jspecify.annotations.Nullable;

/**
 * Counts by how many keys a range grew since a revision, out of the runs: the fewest that cover the
 * revisions since, two look-ups each. One thread.
 */
final class Turnover implements AutoCloseable {
  private final CountShape shape;
  private final RunMarks marks;
  private final Scan scan;
  private final byte[] from;
  private final byte @Nullable [] end;

  private Turnover(
      CountShape shape, RunMarks marks, Scan scan, byte[] from, byte @Nullable [] end) {
    this.shape = shape;
    this.marks = marks;
    this.scan = scan;
    this.from = from;
    this.end = end;
  }

  /**
   * Keys in {@code [from, end)} now, less those that were there at {@code revision}.
   *
   * @param end null for no end
   * @param revision at least the compact revision
   */
  static long since(StoreReader reader, byte[] from, byte @Nullable [] end, long revision) {
    Engine engine = reader.engine();
    // Before the scan: what the marks promise is there in any later state.
    RunMarks marks =
        RunMarks.decode(engine.shape(), engine.get(Family.META, RunMarks.key(), reader.options()));
    byte[] first = CountLayout.runKey(0, revision + 1);
    Scan scan = engine.scan(Family.COUNT, reader.snapshot(), first, null, true);
    try (Turnover turnover = new Turnover(engine.shape(), marks, scan, from, end)) {
      return turnover.sum(revision + 1, reader.state().revision() + 1);
    }
  }

  private long sum(long first, long stop) {
    long sum = 0;
    long at = first;
    while (at < stop) {
      int level = marks.levelAt(shape, at);
      if (level > 0) {
        sum += run(level, at);
        at += shape.revisions(level);
      } else {
        long next = at < marks.built(1) ? Math.min(stop, shape.runFrom(1, at + 1)) : stop;
        sum += singles(at, next);
        at = next;
      }
    }
    return sum;
  }

  private long run(int level, long first) {
    // Behind the run, but no row of the next one: those may begin with the empty key.
    byte[] behind =
        end == null
            ? CountLayout.runKey(level, first + shape.revisions(level) - 1)
            : CountLayout.runKey(level, first, end);
    if (!seekBack(level, first, behind)) {
      return 0;
    }
    long belowEnd = RunRow.below(scan.key(), scan.value(), end);
    boolean hasEarlier = seekBack(level, first, CountLayout.runKey(level, first, from));
    return hasEarlier ? belowEnd - RunRow.below(scan.key(), scan.value(), from) : belowEnd;
  }

  /** Moves to the last row at or before {@code key}; false if it isn't one of this run. */
  private boolean seekBack(int level, long first, byte[] key) {
    scan.seekForPrev(key);
    if (!scan.valid()) {
      return false;
    }
    byte[] found = scan.key();
    return CountLayout.isOfLevel(level, found) && CountLayout.runFirst(found) == first;
  }

  private long singles(long first, long stop) {
    long sum = 0;
    for (scan.seek(CountLayout.runKey(0, first)); scan.valid(); scan.next()) {
      byte[] key = scan.key();
      if (!CountLayout.isOfLevel(0, key) || CountLayout.runFirst(key) >= stop) {
        break;
      }
      byte[] value = scan.value();
      sum += RunRow.below(key, value, end) - RunRow.below(key, value, from);
    }
    return sum;
  }

  @Override
  public void close() {
    scan.close();
  }
}
