package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class KeyRangeTest {
  @Test
  void single() {
    KeyRange range = KeyRange.single(utf8("a"));
    assertTrue(range.isSingle());
    assertFalse(range.isEmpty());
    assertTrue(range.contains(utf8("a")));
    assertFalse(range.contains(utf8("a\0")));
  }

  @Test
  void halfOpen() {
    KeyRange range = new KeyRange(utf8("a"), utf8("c"));
    assertTrue(range.contains(utf8("a")));
    assertTrue(range.contains(utf8("b\u007f")));
    assertFalse(range.contains(utf8("c")));
    assertFalse(range.contains(utf8("A")));
  }

  @Test
  void bytesAreUnsigned() {
    KeyRange range = new KeyRange(utf8("a"), bytes(0x80));
    assertFalse(range.isEmpty());
    assertTrue(range.contains(bytes(0x7f, 0xff)));
    assertFalse(range.contains(bytes(0xff)));
  }

  @Test
  void unbounded() {
    assertTrue(KeyRange.from(utf8("b")).contains(bytes(0xff, 0xff)));
    assertFalse(KeyRange.from(utf8("b")).contains(utf8("a")));
    assertTrue(KeyRange.ALL.contains(ByteString.EMPTY));
    assertFalse(KeyRange.ALL.isEmpty());
  }

  @Test
  void emptyWhenTheEndIsNotAboveTheKey() {
    assertTrue(new KeyRange(utf8("b"), utf8("b")).isEmpty());
    assertTrue(new KeyRange(utf8("b"), utf8("a")).isEmpty());
    assertFalse(new KeyRange(utf8("b"), utf8("b\0")).isEmpty());
    assertFalse(new KeyRange(utf8("b"), bytes(0)).isEmpty());
  }

  @Test
  void prefix() {
    assertEquals(new KeyRange(utf8("ab"), utf8("ac")), KeyRange.prefix(utf8("ab")));
    assertEquals(new KeyRange(bytes('a', 0xff), utf8("b")), KeyRange.prefix(bytes('a', 0xff)));
    assertEquals(KeyRange.from(bytes(0xff)), KeyRange.prefix(bytes(0xff)));
    assertEquals(KeyRange.ALL, KeyRange.prefix(ByteString.EMPTY));
  }

  private static ByteString bytes(int... values) {
    byte[] out = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      out[i] = (byte) values[i];
    }
    return ByteString.copyFrom(out);
  }
}
