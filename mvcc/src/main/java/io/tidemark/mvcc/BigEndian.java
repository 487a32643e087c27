package io.tidemark.mvcc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Fixed-width numbers inside byte arrays, most significant byte first. */
final class BigEndian {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private BigEndian() {}

  static long getLong(byte[] from, int offset) {
    return (long) LONGS.get(from, offset);
  }

  static int getInt(byte[] from, int offset) {
    return (int) INTS.get(from, offset);
  }

  static void putLong(byte[] to, int offset, long value) {
    LONGS.set(to, offset, value);
  }

  static void putInt(byte[] to, int offset, int value) {
    INTS.set(to, offset, value);
  }
}
