package io.tidemark.statemachine.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

final class CoverageProperties {
  private static final ByteString OPEN = bytes(0);

  /** Of each byte around 127 the key itself and two keys behind it, and one key behind them all. */
  private static final List<ByteString> UNIVERSE = universe();

  private static ByteString bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return ByteString.copyFrom(bytes);
  }

  private static List<ByteString> universe() {
    List<ByteString> keys = new ArrayList<>();
    for (int value = 117; value < 146; value++) {
      keys.add(bytes(value));
      keys.add(bytes(value, 0));
      keys.add(bytes(value, 7));
    }
    keys.add(bytes(255, 255));
    return keys;
  }

  /** A length of 0 is a single key, one above 8 has no end. */
  private static ByteString end(int begin, int length) {
    if (length == 0) {
      return ByteString.EMPTY;
    }
    return length > 8 ? OPEN : bytes(begin + length);
  }

  private static boolean holds(ByteString key, ByteString end, ByteString candidate) {
    var order = ByteString.unsignedLexicographicalComparator();
    if (end.isEmpty()) {
      return key.equals(candidate);
    }
    return order.compare(key, candidate) <= 0
        && (end.equals(OPEN) || order.compare(candidate, end) < 0);
  }

  @Property(tries = 1000)
  void coversARangeExactlyWhenEveryKeyOfItIsInSomePermission(
      @ForAll @Size(max = 8) List<@IntRange(min = 118, max = 136) Integer> begins,
      @ForAll @Size(value = 8) List<@IntRange(min = -2, max = 9) Integer> lengths,
      @ForAll @IntRange(min = 118, max = 136) int begin,
      @ForAll @IntRange(min = 0, max = 9) int length) {
    List<Coverage.Span> spans = new ArrayList<>();
    List<ByteString> covered = new ArrayList<>();
    for (int i = 0; i < begins.size(); i++) {
      ByteString key = bytes(begins.get(i));
      ByteString end = end(begins.get(i), lengths.get(i));
      spans.add(Coverage.Span.of(key, end));
      UNIVERSE.stream().filter(candidate -> holds(key, end, candidate)).forEach(covered::add);
    }
    ByteString key = bytes(begin);
    ByteString end = end(begin, length);
    boolean expected =
        UNIVERSE.stream()
            .filter(candidate -> holds(key, end, candidate))
            .allMatch(covered::contains);
    assertEquals(expected, Coverage.of(spans).covers(key, end));
  }

  @Property(tries = 200)
  void aRangeWithoutKeysCountsAsItsFirstKey(
      @ForAll @IntRange(min = 118, max = 136) int begin,
      @ForAll @IntRange(min = -8, max = 0) int length) {
    Coverage coverage = Coverage.of(List.of(Coverage.Span.of(bytes(120), bytes(130))));
    assertEquals(begin >= 120 && begin < 130, coverage.covers(bytes(begin), bytes(begin + length)));
  }
}
