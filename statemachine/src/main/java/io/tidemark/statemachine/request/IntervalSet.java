package io.tidemark.statemachine.request;

import com.google.protobuf.ByteString;
import java.util.Map;
import java.util.TreeMap;

/**
 * A set of keys made of half-open intervals, kept disjoint, so that a lookup costs the logarithm of
 * their number even for a hostile request.
 */
final class IntervalSet {
  private static final ByteString ZERO = ByteString.copyFrom(new byte[1]);

  /** Begin to end, both by unsigned order; intervals neither overlap nor touch. */
  private final TreeMap<ByteString, ByteString> ends =
      new TreeMap<>(ByteString.unsignedLexicographicalComparator());

  void addSingle(ByteString key) {
    add(key, key.concat(ZERO)); // nothing sorts between a key and itself with a zero appended
  }

  /** Adds [begin, end); nothing if that is empty. */
  void add(ByteString begin, ByteString end) {
    if (compare(begin, end) >= 0) {
      return;
    }
    ByteString first = begin;
    ByteString last = end;
    Map.Entry<ByteString, ByteString> left = ends.floorEntry(begin);
    if (left != null && compare(left.getValue(), begin) >= 0) {
      first = left.getKey();
      last = max(last, left.getValue());
      ends.remove(first);
    }
    Map.Entry<ByteString, ByteString> right = ends.ceilingEntry(first);
    while (right != null && compare(right.getKey(), last) <= 0) {
      last = max(last, right.getValue());
      ends.remove(right.getKey());
      right = ends.ceilingEntry(first);
    }
    ends.put(first, last);
  }

  void addAll(IntervalSet other) {
    other.ends.forEach(this::add);
  }

  boolean contains(ByteString key) {
    Map.Entry<ByteString, ByteString> interval = ends.floorEntry(key);
    return interval != null && compare(key, interval.getValue()) < 0;
  }

  private static ByteString max(ByteString left, ByteString right) {
    return compare(left, right) >= 0 ? left : right;
  }

  private static int compare(ByteString left, ByteString right) {
    return ByteString.unsignedLexicographicalComparator().compare(left, right);
  }
}
