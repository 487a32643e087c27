package io.tidemark.statemachine.kv;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.RangePage;
import io.tidemark.mvcc.RangeQuery;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A few pairs in a map, at revision 9, compacted at 4. Answers no queries. */
final class MapKeys implements KeySpace {
  private final TreeMap<ByteString, KeyValue> pairs =
      new TreeMap<>(ByteString.unsignedLexicographicalComparator());

  MapKeys with(KeyValue pair) {
    pairs.put(pair.getKey(), pair);
    return this;
  }

  @Override
  public long revision() {
    return 9;
  }

  @Override
  public long compactRevision() {
    return 4;
  }

  @Override
  public @Nullable KeyValue get(ByteString key) {
    return pairs.get(key);
  }

  @Override
  public RangePage range(RangeQuery query) {
    throw new AssertionError("nothing here queries");
  }

  @Override
  public void forEach(KeyRange range, Predicate<KeyValue> visitor) {
    for (KeyValue pair : pairs.values()) {
      if (range.contains(pair.getKey()) && !visitor.test(pair)) {
        return;
      }
    }
  }
}
