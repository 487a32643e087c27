package io.tidemark.mvcc;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks the keys of one row of a run, ascending: keys that came to be (net 1) or ceased to be (net
 * -1) in the revisions of the run.
 *
 * <p>The first key stands in the row's own key. Value: sum of the nets in the run's earlier rows 8,
 * net of the first key 1, then for each further one: length 4, key, net 1. One thread.
 */
final class RunRow {
  static final int VALUE_HEAD_BYTES = 8;

  private final byte[] value;
  private byte[] in;
  private int from;
  private int to;
  private int at;

  RunRow(byte[] rowKey, byte[] value) {
    this.value = value;
    this.in = rowKey;
    this.from = CountLayout.RUN_HEAD_BYTES;
    this.to = rowKey.length;
    this.at = VALUE_HEAD_BYTES;
  }

  /** Moves on; false behind the last key. A new row stands on its first key. */
  boolean next() {
    at++;
    if (at >= value.length) {
      return false;
    }
    in = value;
    from = at + Integer.BYTES;
    to = from + BigEndian.getInt(value, at);
    at = to;
    return true;
  }

  int net() {
    return value[at];
  }

  byte[] key() {
    return Arrays.copyOfRange(in, from, to);
  }

  boolean isBelow(byte[] bound) {
    return Arrays.compareUnsigned(in, from, to, bound, 0, bound.length) < 0;
  }

  /** Sum of the nets of the run's keys up to this row's below {@code bound}; null: of all. */
  static long below(byte[] rowKey, byte[] value, byte @Nullable [] bound) {
    long sum = BigEndian.getLong(value, 0);
    RunRow row = new RunRow(rowKey, value);
    do {
      if (bound != null && !row.isBelow(bound)) {
        break;
      }
      sum += row.net();
    } while (row.next());
    return sum;
  }
}
