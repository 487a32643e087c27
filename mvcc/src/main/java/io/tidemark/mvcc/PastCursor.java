package io.tidemark.mvcc;

import java.util.Arrays;

/**
 * What was visible at a past revision: the keys of {@code cur} not written since, merged with the
 * versions in {@code hist} that were replaced since. No key can be in both.
 */
final class PastCursor extends VisibleCursor {
  private final Scan current;
  private final PastKeys past;
  private final long revision;
  private byte[] curKey = {};
  private byte[] curRow = {};
  private byte[] pastKey = {};
  private boolean started;
  private boolean hasCurrent;
  private boolean hasPast;

  PastCursor(Scan current, PastKeys past, long revision) {
    this.current = current;
    this.past = past;
    this.revision = revision;
  }

  @Override
  boolean next() {
    if (!started) {
      started = true;
      findCurrent();
      findPast();
    }
    if (!hasCurrent && !hasPast) {
      return false;
    }
    if (hasCurrent && (!hasPast || Arrays.compareUnsigned(curKey, pastKey) < 0)) {
      showCur(curKey, curRow);
      current.next();
      findCurrent();
      return true;
    }
    showHist(pastKey, KeyLayout.histMain(past.histKey()), past.histRow());
    findPast();
    return true;
  }

  private void findCurrent() {
    while (current.valid()) {
      curRow = current.value();
      if (BigEndian.getLong(curRow, 0) <= revision) {
        curKey = current.key();
        hasCurrent = true;
        return;
      }
      current.next();
    }
    hasCurrent = false;
  }

  private void findPast() {
    hasPast = past.next();
    if (hasPast) {
      pastKey = KeyLayout.histUserKey(past.histKey());
    }
  }

  @Override
  public void close() {
    past.close();
    current.close();
  }
}
