package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.KeyRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The tree of ranges against a list of ranges. */
final class SpanTreeTest {
  @Provide
  Arbitrary<ByteString> keys() {
    return Arbitraries.bytes()
        .array(byte[].class)
        .ofMinSize(0)
        .ofMaxSize(2)
        .map(ByteString::copyFrom);
  }

  @Provide
  Arbitrary<List<KeyRange>> ranges() {
    Arbitrary<ByteString> open = Arbitraries.just(ByteString.copyFrom(new byte[1]));
    Arbitrary<ByteString> ends = Arbitraries.oneOf(keys().filter(end -> !end.isEmpty()), open);
    return Combinators.combine(keys(), ends)
        .as(KeyRange::new)
        .filter(range -> !range.isEmpty())
        .list()
        .ofMaxSize(60);
  }

  @Property(tries = 300)
  void findsExactlyTheSpansThatContainAKey(
      @ForAll("ranges") List<KeyRange> ranges,
      @ForAll("keys") ByteString key,
      @ForAll("keys") ByteString other) {
    SpanTree<String> tree = new SpanTree<>();
    Map<KeyRange, KeySpan<String>> spans = new HashMap<>();
    for (KeyRange range : ranges) {
      spans.put(range, tree.getOrAdd(range));
    }
    check(tree, spans, key);
    check(tree, spans, other);
    for (int i = 0; i < ranges.size(); i += 2) {
      KeySpan<String> removed = spans.remove(ranges.get(i));
      if (removed != null) {
        tree.remove(removed);
      }
    }
    check(tree, spans, key);
    check(tree, spans, other);
    for (KeySpan<String> span : List.copyOf(spans.values())) {
      tree.remove(span);
    }
    assertTrue(tree.isEmpty());
  }

  private static void check(
      SpanTree<String> tree, Map<KeyRange, KeySpan<String>> spans, ByteString key) {
    List<KeySpan<String>> found = new ArrayList<>();
    tree.find(key, found);
    List<KeySpan<String>> expected =
        spans.values().stream().filter(span -> span.range.contains(key)).toList();
    assertEquals(new HashSet<>(expected), new HashSet<>(found));
    assertEquals(expected.size(), found.size());
    List<KeySpan<String>> all = new ArrayList<>();
    tree.all(all);
    assertEquals(new HashSet<>(spans.values()), new HashSet<>(all));
  }
}
