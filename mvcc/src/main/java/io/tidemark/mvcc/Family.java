package io.tidemark.mvcc;

import java.nio.charset.StandardCharsets;

/** The column families. Their content is described in docs/format.md. */
enum Family {
  /** RocksDB's own default family, so that a checkpoint's position is readable on its own. */
  META("default"),
  /** Key to its newest record. */
  CUR("cur"),
  /** Escaped key and inverted revision to a superseded record. */
  HIST("hist"),
  /** Revision and sub-revision to what happened. */
  REV("rev"),
  /** Key to its newest revision: small rows for counting. */
  LIVE("live"),
  /** The system tables. */
  SYS("sys"),
  /** Numbers of keys, by ranges of keys and by ranges of revisions. */
  COUNT("count");

  private final String familyName;

  Family(String familyName) {
    this.familyName = familyName;
  }

  byte[] nameBytes() {
    return familyName.getBytes(StandardCharsets.US_ASCII);
  }
}
