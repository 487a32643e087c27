package io.tidemark.statemachine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

final class IntervalSetProperties {
  private static ByteString key(int value) {
    return ByteString.copyFrom(new byte[] {(byte) value});
  }

  /** Keys around 127, where signed and unsigned order part. */
  @Property(tries = 500)
  void holdsExactlyWhatWasAdded(
      @ForAll @Size(max = 12) List<@IntRange(min = 118, max = 138) Integer> begins,
      @ForAll @Size(value = 12) List<@IntRange(min = -3, max = 6) Integer> lengths) {
    IntervalSet set = new IntervalSet();
    boolean[] expected = new boolean[256];
    for (int i = 0; i < begins.size(); i++) {
      int begin = begins.get(i);
      int end = begin + lengths.get(i);
      if (begin % 5 == 0) {
        set.addSingle(key(begin));
        expected[begin] = true;
        continue;
      }
      set.add(key(begin), key(end));
      for (int value = begin; value < end; value++) {
        expected[value] = true;
      }
    }
    for (int value = 0; value < 256; value++) {
      assertEquals(expected[value], set.contains(key(value)), "key " + value);
    }
  }
}
