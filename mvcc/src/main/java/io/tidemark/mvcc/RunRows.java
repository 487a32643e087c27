package io.tidemark.mvcc;

import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * Packs the keys of a run, which come ascending, into rows. A new one goes on with the next run
 * after {@link #finish()}. One thread.
 */
final class RunRows {
  private static final int ROW_KEYS_MAX = 64;
  private static final int ROW_BYTES_MAX = 8 * 1024;

  private final int level;
  private final BiConsumer<byte[], byte[]> rows;
  private byte[] rowKey = {};
  private byte[] value = new byte[RunRow.VALUE_HEAD_BYTES + 1];
  private int size;
  private int keys;
  private long sum;

  /**
   * @param rows takes each finished row
   */
  RunRows(int level, BiConsumer<byte[], byte[]> rows) {
    this.level = level;
    this.rows = rows;
  }

  void add(long run, byte[] key, int net) {
    if (keys == ROW_KEYS_MAX || (keys > 0 && size + key.length > ROW_BYTES_MAX)) {
      endRow();
    }
    if (keys == 0) {
      rowKey = CountLayout.runKey(level, run, key);
      BigEndian.putLong(value, 0, sum);
      size = RunRow.VALUE_HEAD_BYTES;
    } else {
      reserve(Integer.BYTES + key.length + 1);
      BigEndian.putInt(value, size, key.length);
      System.arraycopy(key, 0, value, size + Integer.BYTES, key.length);
      size += Integer.BYTES + key.length;
    }
    value[size++] = (byte) net;
    keys++;
    sum += net;
  }

  /** Ends the run. */
  void finish() {
    if (keys > 0) {
      endRow();
    }
    sum = 0;
  }

  private void endRow() {
    rows.accept(rowKey, Arrays.copyOf(value, size));
    keys = 0;
  }

  private void reserve(int bytes) {
    if (size + bytes > value.length) {
      value = Arrays.copyOf(value, Math.max(size + bytes, 2 * value.length));
    }
  }
}
