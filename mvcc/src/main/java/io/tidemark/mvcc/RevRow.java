package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;

/**
 * A row of {@code rev}: one thing that happened.
 *
 * @param before revision of the version that was visible one revision earlier; 0 for none
 * @param beforeBytes size of that version's row in {@code hist}, so that compaction can account for
 *     it without reading it
 * @param supersedes whether this is the change that moved that version into {@code hist}: the first
 *     one of its key in its revision
 * @param bytes what the row counts for in the size of the store
 */
record RevRow(
    Version version, ByteString key, long before, int beforeBytes, boolean supersedes, int bytes) {
  /** Flags 1, create 8, version 8, lease 8, before 8, before bytes 4, key length 4. */
  static final int HEADER_BYTES = 41;

  static final int TOMBSTONE = 1;
  static final int SUPERSEDES = 2;

  static RevRow decode(byte[] key, byte[] row) {
    int flags = row[0];
    int keyBytes = BigEndian.getInt(row, 37);
    int valueAt = HEADER_BYTES + keyBytes;
    Version version =
        new Version(
            KeyLayout.revMain(key),
            KeyLayout.revSub(key),
            BigEndian.getLong(row, 1),
            BigEndian.getLong(row, 9),
            BigEndian.getLong(row, 17),
            UnsafeByteOperations.unsafeWrap(row, valueAt, row.length - valueAt),
            (flags & TOMBSTONE) != 0);
    return new RevRow(
        version,
        UnsafeByteOperations.unsafeWrap(row, HEADER_BYTES, keyBytes),
        BigEndian.getLong(row, 25),
        BigEndian.getInt(row, 33),
        (flags & SUPERSEDES) != 0,
        accountedBytes(keyBytes));
  }

  /** What a row counts for in the size of the store: all but its value. */
  static int accountedBytes(int keyBytes) {
    return KeyLayout.REV_KEY_BYTES + HEADER_BYTES + keyBytes;
  }

  /** A put that began the key's life has nothing before it that a watcher may see. */
  boolean showsPrevious() {
    return before != 0 && (version.tombstone() || version.create() != version.mod());
  }
}
