package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** A bucket, or a group of buckets: the keys from {@code start} on below {@code end}. */
final class CountSpan {
  private static final int BUCKET_ROW_BYTES = 8;
  private static final int GROUP_ROW_BYTES = 12;

  final ByteString start;

  /** Null for no end. */
  @Nullable ByteString end;

  long keys;

  /** Of a group. */
  int buckets;

  CountSpan(ByteString start, @Nullable ByteString end, long keys, int buckets) {
    this.start = start;
    this.end = end;
    this.keys = keys;
    this.buckets = buckets;
  }

  boolean contains(ByteString key) {
    return compare(start, key) <= 0 && (end == null || compare(key, end) < 0);
  }

  /** Value of the row: number of keys 8, and for a group number of buckets 4. */
  byte[] encode(byte code) {
    byte[] row = new byte[code == CountLayout.BUCKET ? BUCKET_ROW_BYTES : GROUP_ROW_BYTES];
    BigEndian.putLong(row, 0, keys);
    if (code == CountLayout.GROUP) {
      BigEndian.putInt(row, Long.BYTES, buckets);
    }
    return row;
  }

  static long keys(byte[] row) {
    return BigEndian.getLong(row, 0);
  }

  static int buckets(byte[] row) {
    return row.length == GROUP_ROW_BYTES ? BigEndian.getInt(row, Long.BYTES) : 0;
  }

  private static int compare(ByteString one, ByteString other) {
    return ByteString.unsignedLexicographicalComparator().compare(one, other);
  }
}
