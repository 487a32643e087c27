package io.tidemark.mvcc;

/** The newest version of every key: a plain scan of {@code cur}. */
final class HeadCursor extends VisibleCursor {
  private final Scan scan;
  private boolean started;

  HeadCursor(Scan scan) {
    this.scan = scan;
  }

  @Override
  boolean next() {
    if (started) {
      scan.next();
    }
    started = true;
    if (!scan.valid()) {
      return false;
    }
    showCur(scan.key(), scan.value());
    return true;
  }

  @Override
  public void close() {
    scan.close();
  }
}
