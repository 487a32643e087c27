package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.mvccpb.KeyValue;

/**
 * One version of a key, or the mark that it was deleted.
 *
 * @param version puts since the key was created, 0 for a deletion
 */
record Version(
    long mod, int sub, long create, long version, long lease, ByteString value, boolean tombstone) {
  /** Bytes before the value in {@code cur}: mod 8, sub 4, create 8, version 8, lease 8. */
  static final int CUR_HEADER_BYTES = 36;

  /** Bytes before the value in {@code hist}: sub 4, create 8, version 8, lease 8, superseded 8. */
  static final int HIST_HEADER_BYTES = 36;

  static final int HIST_SUPERSEDED_OFFSET = 28;

  /** A row of {@code live}: mod 8. */
  static final int LIVE_BYTES = 8;

  static Version deleted(long mod, int sub) {
    return new Version(mod, sub, 0, 0, 0, ByteString.EMPTY, true);
  }

  static Version fromCur(byte[] row) {
    return new Version(
        BigEndian.getLong(row, 0),
        BigEndian.getInt(row, 8),
        BigEndian.getLong(row, 12),
        BigEndian.getLong(row, 20),
        BigEndian.getLong(row, 28),
        UnsafeByteOperations.unsafeWrap(row, CUR_HEADER_BYTES, row.length - CUR_HEADER_BYTES),
        false);
  }

  static Version fromHist(long main, byte[] row) {
    return new Version(
        main,
        BigEndian.getInt(row, 0),
        BigEndian.getLong(row, 4),
        BigEndian.getLong(row, 12),
        BigEndian.getLong(row, 20),
        UnsafeByteOperations.unsafeWrap(row, HIST_HEADER_BYTES, row.length - HIST_HEADER_BYTES),
        false);
  }

  static long supersededAt(byte[] histRow) {
    return BigEndian.getLong(histRow, HIST_SUPERSEDED_OFFSET);
  }

  int curRowBytes() {
    return CUR_HEADER_BYTES + value.size();
  }

  int histRowBytes(ByteString key) {
    return KeyLayout.histKeyBytes(key) + HIST_HEADER_BYTES + value.size();
  }

  /** As a client sees it: a deletion shows only the key and its revision. */
  KeyValue toKeyValue(ByteString key) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setCreateRevision(create)
        .setModRevision(mod)
        .setVersion(version)
        .setValue(value)
        .setLease(lease)
        .build();
  }
}
