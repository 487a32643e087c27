package io.tidemark.raftcore.peer;

/** What is known of an entry after an attempt to get it into the log. */
public enum SendResult {
  /** Applied on the leader. */
  DONE(0),
  /** Not appended, and never will be by this attempt. */
  REFUSED(1),
  /** Perhaps appended. */
  UNKNOWN(2);

  private static final SendResult[] VALUES = values();

  private final int code;

  SendResult(int code) {
    this.code = code;
  }

  /** The byte that stands for it on the wire. */
  int code() {
    return code;
  }

  static SendResult of(int code) {
    return code >= 0 && code < VALUES.length ? VALUES[code] : UNKNOWN;
  }
}
