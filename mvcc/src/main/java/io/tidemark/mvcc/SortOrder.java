package io.tidemark.mvcc;

/** Direction of a range answer. */
public enum SortOrder {
  /** By key, ascending; with a target other than the key, ascending by that target. */
  NONE,
  ASCEND,
  DESCEND
}
