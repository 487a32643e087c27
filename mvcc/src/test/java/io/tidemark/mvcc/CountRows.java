package io.tidemark.mvcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Holds the stored buckets and groups against the keys themselves. */
final class CountRows {
  private final NavigableSet<ByteString> keys = sortedSet();
  private final NavigableMap<ByteString, byte[]> buckets = sortedMap();
  private final NavigableMap<ByteString, byte[]> groups = sortedMap();

  private CountRows(MvccStore store) {
    StoreContents.forEachRow(
        store, Family.LIVE, (key, value) -> keys.add(ByteString.copyFrom(key)));
    StoreContents.forEachRow(
        store,
        Family.COUNT,
        (key, value) -> {
          if (key[0] == CountLayout.BUCKET) {
            buckets.put(ByteString.copyFrom(CountLayout.spanStart(key)), value);
          } else if (key[0] == CountLayout.GROUP) {
            groups.put(ByteString.copyFrom(CountLayout.spanStart(key)), value);
          }
        });
  }

  /** Returns the number of buckets. */
  static int check(MvccStore store) {
    CountRows rows = new CountRows(store);
    rows.checkSpans(rows.buckets);
    rows.checkSpans(rows.groups);
    assertTrue(rows.buckets.keySet().containsAll(rows.groups.keySet()));
    rows.groups.forEach(
        (start, row) ->
            assertEquals(
                span(rows.groups, start, rows.buckets.navigableKeySet()).size(),
                CountSpan.buckets(row)));
    return rows.buckets.size();
  }

  private void checkSpans(NavigableMap<ByteString, byte[]> spans) {
    if (spans.isEmpty()) {
      assertTrue(keys.isEmpty());
      return;
    }
    assertEquals(ByteString.EMPTY, spans.firstKey());
    for (Map.Entry<ByteString, byte[]> entry : spans.entrySet()) {
      int expected = span(spans, entry.getKey(), keys).size();
      assertEquals(expected, CountSpan.keys(entry.getValue()), () -> "from " + entry.getKey());
    }
  }

  private static NavigableSet<ByteString> span(
      NavigableMap<ByteString, byte[]> spans, ByteString start, NavigableSet<ByteString> of) {
    ByteString end = spans.higherKey(start);
    return end == null ? of.tailSet(start, true) : of.subSet(start, true, end, false);
  }

  private static NavigableSet<ByteString> sortedSet() {
    return new TreeSet<>(ByteString.unsignedLexicographicalComparator());
  }

  private static NavigableMap<ByteString, byte[]> sortedMap() {
    return new TreeMap<>(ByteString.unsignedLexicographicalComparator());
  }
}
