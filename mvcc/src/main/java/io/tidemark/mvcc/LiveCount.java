package io.tidemark.mvcc;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts the keys of a range that are there now: whole groups by their rows, whole buckets at both
 * edges by theirs, what is left of two buckets key by key.
 */
final class LiveCount {
  private enum Level {
    GROUPS,
    BUCKETS,
    KEYS
  }

  private final StoreReader reader;

  private LiveCount(StoreReader reader) {
    this.reader = reader;
  }

  /** Keys in {@code [from, end)}; null for no end. */
  static long of(StoreReader reader, byte[] from, byte @Nullable [] end) {
    return new LiveCount(reader).count(Level.GROUPS, from, end, end == null);
  }

  /**
   * @param aligned whether no span of this level goes on behind {@code end}
   */
  private long count(Level level, byte[] from, byte @Nullable [] end, boolean aligned) {
    return switch (level) {
      case GROUPS -> spans(CountLayout.GROUP, Level.BUCKETS, from, end, aligned);
      case BUCKETS -> spans(CountLayout.BUCKET, Level.KEYS, from, end, aligned);
      case KEYS -> keys(from, end);
    };
  }

  private long spans(byte code, Level below, byte[] from, byte @Nullable [] end, boolean aligned) {
    byte[] first = null;
    byte[] last = null;
    long keys = 0;
    long lastKeys = 0;
    byte[] bound = end == null ? CountLayout.afterSpans(code) : CountLayout.spanKey(code, end);
    byte[] start = CountLayout.spanKey(code, from);
    try (Scan scan = reader.engine().scan(Family.COUNT, reader.snapshot(), start, bound, true)) {
      for (; scan.valid(); scan.next()) {
        last = scan.key();
        first = first == null ? last : first;
        keys += lastKeys;
        lastKeys = CountSpan.keys(scan.value());
      }
    }
    if (first == null || last == null) {
      return count(below, from, end, aligned);
    }
    byte[] firstStart = CountLayout.spanStart(first);
    if (!Arrays.equals(from, firstStart)) {
      keys += count(below, from, firstStart, true);
    }
    return aligned ? keys + lastKeys : keys + count(below, CountLayout.spanStart(last), end, false);
  }

  private long keys(byte[] from, byte @Nullable [] end) {
    long keys = 0;
    try (Scan live = reader.engine().scan(Family.LIVE, reader.snapshot(), from, end, true)) {
      for (; live.valid(); live.next()) {
        keys++;
      }
    }
    return keys;
  }
}
