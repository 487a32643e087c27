package io.tidemark.mvcc;

import java.nio.charset.StandardCharsets;

/**
 * How far physical compaction has come, written with every slice of it.
 *
 * @param swept compact revision up to which everything superfluous is removed
 * @param target compact revision of the round that is under way; equal to {@code swept} if none is
 * @param main main revision of the first row of {@code rev} that the round hasn't looked at
 * @param sub its sub-revision
 * @param removedBytes size of all rows ever removed
 * @param doomedBytes size of the rows of {@code rev} that the end of the round will remove
 * @param keptBytes size of the rows of {@code rev} at the target, which the next round removes
 */
record SweepState(
    long swept,
    long target,
    long main,
    int sub,
    long removedBytes,
    long doomedBytes,
    long keptBytes) {
  private static final byte[] KEY = "sweep".getBytes(StandardCharsets.US_ASCII);
  private static final int BYTES = 52;

  static final SweepState INITIAL = new SweepState(0, 0, 0, 0, 0, 0, 0);

  static byte[] key() {
    return KEY.clone();
  }

  static SweepState decode(byte[] row) {
    if (row.length != BYTES) {
      throw new StoreFault("the sweep row has " + row.length + " bytes, not " + BYTES);
    }
    return new SweepState(
        BigEndian.getLong(row, 0),
        BigEndian.getLong(row, 8),
        BigEndian.getLong(row, 16),
        BigEndian.getInt(row, 24),
        BigEndian.getLong(row, 28),
        BigEndian.getLong(row, 36),
        BigEndian.getLong(row, 44));
  }

  byte[] encode() {
    byte[] row = new byte[BYTES];
    BigEndian.putLong(row, 0, swept);
    BigEndian.putLong(row, 8, target);
    BigEndian.putLong(row, 16, main);
    BigEndian.putInt(row, 24, sub);
    BigEndian.putLong(row, 28, removedBytes);
    BigEndian.putLong(row, 36, doomedBytes);
    BigEndian.putLong(row, 44, keptBytes);
    return row;
  }

  boolean underWay() {
    return target > swept;
  }

  /** Begins a round; the rows that the last one kept at its target are doomed now. */
  SweepState begin(long newTarget) {
    return new SweepState(swept, newTarget, swept + 1, 0, removedBytes, keptBytes, 0);
  }

  SweepState finish() {
    return new SweepState(target, target, target + 1, 0, removedBytes + doomedBytes, 0, keptBytes);
  }
}
