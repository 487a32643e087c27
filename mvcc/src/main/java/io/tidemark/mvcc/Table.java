package io.tidemark.mvcc;

/** Small system tables kept in the same store and written in the same batch as the keys. */
public enum Table {
  MEMBER(1),
  LEASE(2),
  AUTH(3),
  ALARM(4),
  META(5),
  /** One row for each key that a lease holds. */
  LEASE_KEY(6),
  /** What became of the batches that were applied lately. */
  BATCH(7),
  /** Ids of members that were removed, for ever. */
  REMOVED_MEMBER(8);

  private final byte code;

  Table(int code) {
    this.code = (byte) code;
  }

  /** First byte of the table's keys on disk; never changes. */
  byte code() {
    return code;
  }
}
