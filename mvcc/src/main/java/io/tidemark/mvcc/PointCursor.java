package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** The range of a single key: one version or none. */
final class PointCursor extends VisibleCursor {
  private final ByteString only;
  private @Nullable Version waiting;

  PointCursor(ByteString only, @Nullable Version found) {
    this.only = only;
    this.waiting = found;
  }

  @Override
  boolean next() {
    Version found = waiting;
    if (found == null) {
      return false;
    }
    waiting = null;
    show(only, found);
    return true;
  }

  @Override
  public void close() {}
}
