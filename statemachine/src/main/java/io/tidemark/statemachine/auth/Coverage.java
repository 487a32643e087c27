package io.tidemark.statemachine.auth;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a set of permissions covers together: disjoint intervals, ascending, so that a
 * question costs the logarithm of their number. Immutable.
 */
final class Coverage {
  static final Coverage NOTHING = new Coverage(List.of());

  private static final Comparator<ByteString> ORDER =
      ByteString.unsignedLexicographicalComparator();
  private static final ByteString ZERO = ByteString.copyFrom(new byte[1]);

  /** Neither overlapping nor touching. */
  private final List<Span> spans;

  /**
   * Half-open.
   *
   * @param end null for no end
   */
  record Span(ByteString begin, @Nullable ByteString end) {
    /** In the words of a request: no end is the single key, one zero byte is no end. */
    static Span of(ByteString key, ByteString rangeEnd) {
      if (rangeEnd.isEmpty()) {
        return new Span(key, key.concat(ZERO)); // nothing sorts between the two
      }
      return new Span(key, rangeEnd.equals(ZERO) ? null : rangeEnd);
    }

    boolean isEmpty() {
      return end != null && ORDER.compare(begin, end) >= 0;
    }
  }

  private Coverage(List<Span> spans) {
    this.spans = spans;
  }

  static Coverage of(List<Span> wanted) {
    List<Span> sorted = new ArrayList<>(wanted);
    sorted.removeIf(Span::isEmpty);
    sorted.sort(Comparator.comparing(Span::begin, ORDER));
    List<Span> merged = new ArrayList<>();
    for (Span span : sorted) {
      Span last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last == null || !reaches(last.end(), span.begin())) {
        merged.add(span);
      } else if (!reaches(last.end(), span.end())) {
        merged.set(merged.size() - 1, new Span(last.begin(), span.end()));
      }
    }
    return merged.isEmpty() ? NOTHING : new Coverage(List.copyOf(merged));
  }

  /**
   * Whether every key of a request's range is covered. A range that holds no key counts as its
   * first key, so that asking for nothing tells nothing either.
   */
  boolean covers(ByteString key, ByteString rangeEnd) {
    Span span = floor(key);
    if (span == null) {
      return false;
    }
    ByteString end = span.end();
    if (end != null && ORDER.compare(key, end) >= 0) {
      return false;
    }
    return rangeEnd.isEmpty() || reaches(end, rangeEnd.equals(ZERO) ? null : rangeEnd);
  }

  /** Whether an interval that begins early enough and ends at {@code end} goes on up to there. */
  private static boolean reaches(@Nullable ByteString end, @Nullable ByteString wanted) {
    return end == null || (wanted != null && ORDER.compare(end, wanted) >= 0);
  }

  /** The last interval that doesn't begin after the key. */
  private @Nullable Span floor(ByteString key) {
    int low = 0;
    int high = spans.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ORDER.compare(spans.get(middle).begin(), key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? null : spans.get(low - 1);
  }
}
