package io.tidemark.mvcc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

class KeyLayoutTest {
  @Property(tries = 2000)
  void superseededKeysSortAsTheirUserKeysThenNewestFirst(
      @ForAll("keys") byte[] a,
      @ForAll("keys") byte[] b,
      @ForAll @LongRange(min = 1) long mainA,
      @ForAll @LongRange(min = 1) long mainB) {
    byte[] rowA = KeyLayout.histKey(ByteString.copyFrom(a), mainA);
    byte[] rowB = KeyLayout.histKey(ByteString.copyFrom(b), mainB);
    int keys = Integer.signum(Arrays.compareUnsigned(a, b));
    int expected = keys != 0 ? keys : Long.compare(mainB, mainA);
    assertEquals(expected, Integer.signum(Arrays.compareUnsigned(rowA, rowB)));
    assertEquals(keys == 0, KeyLayout.sameUserKey(rowA, rowB));
    assertEquals(rowA.length, KeyLayout.histKeyBytes(ByteString.copyFrom(a)));
  }

  @Property(tries = 2000)
  void boundsEncloseAKeysRows(
      @ForAll("keys") byte[] a, @ForAll("keys") byte[] b, @ForAll @LongRange(min = 1) long main) {
    ByteString key = ByteString.copyFrom(a);
    byte[] row = KeyLayout.histKey(key, main);
    assertArrayEquals(a, KeyLayout.histUserKey(row));
    assertEquals(main, KeyLayout.histMain(row));
    assertTrue(Arrays.compareUnsigned(KeyLayout.histPrefix(key), row) < 0);
    assertTrue(Arrays.compareUnsigned(KeyLayout.afterHistKey(row), row) > 0);
    byte[] other = KeyLayout.histKey(ByteString.copyFrom(b), main);
    if (Arrays.compareUnsigned(b, a) > 0) {
      assertTrue(Arrays.compareUnsigned(KeyLayout.afterHistKey(row), other) < 0);
    }
    boolean atLeast = Arrays.compareUnsigned(b, a) >= 0;
    assertEquals(atLeast, Arrays.compareUnsigned(other, KeyLayout.histPrefix(key)) > 0);
  }

  @Provide
  Arbitrary<byte[]> keys() {
    return Arbitraries.of((byte) 0, (byte) 1, (byte) 2, (byte) 'a', (byte) 0xfe, (byte) 0xff)
        .array(byte[].class)
        .ofMaxSize(5);
  }
}
