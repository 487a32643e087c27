package io.tidemark.mvcc;

/**
 * Finds in {@code hist}, key by key, the superseded version that was visible at a revision.
 *
 * <p>A key's rows stand newest first. A hot key may have very many, so after a few steps over rows
 * that don't matter this seeks.
 */
final class PastKeys implements AutoCloseable {
  private static final int STEPS_BEFORE_SEEK = 4;

  private final Scan scan;
  private final long revision;
  private byte[] key = {};
  private byte[] row = {};

  PastKeys(Scan scan, long revision) {
    this.scan = scan;
    this.revision = revision;
  }

  /** Moves to the next key that has such a version. */
  boolean next() {
    if (key.length > 0) {
      leave(key);
    }
    while (scan.valid()) {
      key = scan.key();
      if (KeyLayout.histMain(key) > revision) {
        approach(key);
        continue;
      }
      row = scan.value();
      if (Version.supersededAt(row) > revision) {
        return true;
      }
      leave(key);
    }
    key = new byte[0];
    return false;
  }

  byte[] histKey() {
    return key;
  }

  byte[] histRow() {
    return row;
  }

  /** Moves on to the first row of this key at or below the revision, or off the key. */
  private void approach(byte[] from) {
    for (int i = 0; i < STEPS_BEFORE_SEEK; i++) {
      scan.next();
      if (!scan.valid()) {
        return;
      }
      byte[] at = scan.key();
      if (!KeyLayout.sameUserKey(from, at) || KeyLayout.histMain(at) <= revision) {
        return;
      }
    }
    scan.seek(KeyLayout.sameHistKey(from, revision));
  }

  /** Moves to the next key's first row. */
  private void leave(byte[] from) {
    for (int i = 0; i < STEPS_BEFORE_SEEK; i++) {
      scan.next();
      if (!scan.valid() || !KeyLayout.sameUserKey(from, scan.key())) {
        return;
      }
    }
    scan.seek(KeyLayout.afterHistKey(from));
  }

  @Override
  public void close() {
    scan.close();
  }
}
