package io.tidemark.mvcc;

/** What a range answer is sorted by. Equal entries come in ascending key order. */
public enum SortTarget {
  KEY,
  VERSION,
  CREATE,
  MOD,
  VALUE
}
