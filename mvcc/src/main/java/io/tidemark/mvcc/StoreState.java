package io.tidemark.mvcc;

import java.nio.charset.StandardCharsets;

/**
 * What a store knows about itself, written with every entry.
 *
 * @param revision newest main revision, 1 for an empty store
 * @param compactRevision oldest readable revision, -1 before the first compaction
 * @param writtenBytes size of all rows ever written, less what the writes themselves removed
 */
record StoreState(long term, long index, long revision, long compactRevision, long writtenBytes) {
  private static final byte[] KEY = "state".getBytes(StandardCharsets.US_ASCII);
  private static final int BYTES = 40;

  static final StoreState INITIAL = new StoreState(0, -1, 1, -1, 0);

  static byte[] key() {
    return KEY.clone();
  }

  static StoreState decode(byte[] row) {
    if (row.length != BYTES) {
      throw new StoreFault("the state row has " + row.length + " bytes, not " + BYTES);
    }
    return new StoreState(
        BigEndian.getLong(row, 0),
        BigEndian.getLong(row, 8),
        BigEndian.getLong(row, 16),
        BigEndian.getLong(row, 24),
        BigEndian.getLong(row, 32));
  }

  byte[] encode() {
    byte[] row = new byte[BYTES];
    BigEndian.putLong(row, 0, term);
    BigEndian.putLong(row, 8, index);
    BigEndian.putLong(row, 16, revision);
    BigEndian.putLong(row, 24, compactRevision);
    BigEndian.putLong(row, 32, writtenBytes);
    return row;
  }

  AppliedPosition applied() {
    return new AppliedPosition(term, index);
  }
}
