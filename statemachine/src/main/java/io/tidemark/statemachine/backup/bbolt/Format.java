package io.tidemark.statemachine.backup.bbolt;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Numbers of the page format. All are little-endian, as on the machines that such files come from.
 *
 * <p>Page: id 8, flags 2, count 2, overflow 4 (further pages of the same run), then elements, then
 * what they point to; positions count from the element's own start. Leaf element: flags 4, position
 * 4, key size 4, value size 4. Branch element: position 4, key size 4, page 8. A bucket is a leaf
 * element with flag 1 whose value is root page 8, sequence 8, and for root page 0 the bucket's only
 * page.
 */
final class Format {
  static final int PAGE_BYTES = 4096;
  static final int PAGE_HEADER_BYTES = 16;
  static final int ELEMENT_BYTES = 16;
  static final int BUCKET_HEADER_BYTES = 16;

  static final int BRANCH_PAGE = 0x01;
  static final int LEAF_PAGE = 0x02;
  static final int META_PAGE = 0x04;
  static final int FREELIST_PAGE = 0x10;

  static final int BUCKET_ELEMENT = 0x01;

  static final int MAGIC = 0xED0CDAED;
  static final int VERSION = 2;

  /**
   * Magic 4, version 4, page size 4, flags 4, root bucket 16, free list 8, end 8, transaction 8.
   */
  static final int META_BYTES = 56;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private Format() {}

  static long getLong(byte[] from, int offset) {
    return (long) LONGS.get(from, offset);
  }

  static int getInt(byte[] from, int offset) {
    return (int) INTS.get(from, offset);
  }

  static int getShort(byte[] from, int offset) {
    return (short) SHORTS.get(from, offset) & 0xffff;
  }

  static void putLong(byte[] to, int offset, long value) {
    LONGS.set(to, offset, value);
  }

  static void putInt(byte[] to, int offset, int value) {
    INTS.set(to, offset, value);
  }

  static void putHeader(byte[] page, long id, int flags, int count, int overflow) {
    putLong(page, 0, id);
    SHORTS.set(page, 8, (short) flags);
    SHORTS.set(page, 10, (short) count);
    putInt(page, 12, overflow);
  }

  /** FNV-1a, 64 bits. */
  static long checksum(byte[] bytes, int offset, int length) {
    long hash = 0xcbf29ce484222325L;
    for (int i = offset; i < offset + length; i++) {
      hash = (hash ^ (bytes[i] & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }
}
