package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Merges an entry's own versions, which win, with the store's newest ones. Thread: apply. */
final class OverlayCursor extends VisibleCursor {
  private final VisibleCursor stored;
  private final Iterator<Map.Entry<ByteString, KeyChain>> own;
  private final long revision;
  private Map.@Nullable Entry<ByteString, KeyChain> ownEntry;
  private byte[] ownKey = {};
  private boolean hasStored;
  private boolean started;

  OverlayCursor(VisibleCursor stored, Map<ByteString, KeyChain> own, long revision) {
    this.stored = stored;
    this.own = own.entrySet().iterator();
    this.revision = revision;
  }

  @Override
  boolean next() {
    if (!started) {
      started = true;
      hasStored = stored.next();
      nextOwn();
    }
    while (true) {
      Map.Entry<ByteString, KeyChain> mine = ownEntry;
      if (mine == null || (hasStored && Arrays.compareUnsigned(stored.key, ownKey) < 0)) {
        return showStored();
      }
      if (hasStored && Arrays.equals(stored.key, ownKey)) {
        hasStored = stored.next();
      }
      nextOwn();
      Version visible = mine.getValue().visibleAt(revision);
      if (visible != null) {
        show(mine.getKey(), visible);
        return true;
      }
    }
  }

  private boolean showStored() {
    if (!hasStored) {
      return false;
    }
    showSameAs(stored);
    hasStored = stored.next();
    return true;
  }

  private void nextOwn() {
    ownEntry = own.hasNext() ? own.next() : null;
    if (ownEntry != null) {
      ownKey = ownEntry.getKey().toByteArray();
    }
  }

  @Override
  public void close() {
    stored.close();
  }
}
