package io.tidemark.mvcc;

/** Term and index of the last log entry that a store contains. */
public record AppliedPosition(long term, long index) {
  /** A store that has seen no entry. */
  public static final AppliedPosition INITIAL = new AppliedPosition(0, -1);
}
