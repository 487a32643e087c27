package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.Arrays;

/**
 * How keys look in the families whose keys are composed.
 *
 * <p>{@code hist}: the user key with every 00 written as 00 FF, then 00 01, then the complement of
 * the main revision, so that keys sort as themselves and one key's versions newest first. {@code
 * rev}: main revision, sub-revision. {@code sys}: table code, key.
 */
final class KeyLayout {
  static final int REV_KEY_BYTES = 12;
  private static final int HIST_TAIL_BYTES = 10;

  private KeyLayout() {}

  /** Where the versions of {@code key} begin, and of no smaller key. */
  static byte[] histPrefix(ByteString key) {
    byte[] out = new byte[escapedSize(key)];
    escape(key, out);
    return out;
  }

  /** Lower bound of every key greater than the one {@code histKey} belongs to. */
  static byte[] afterHistKey(byte[] histKey) {
    byte[] out = Arrays.copyOf(histKey, histKey.length - Long.BYTES);
    out[out.length - 1] = 2;
    return out;
  }

  static byte[] histKey(ByteString key, long main) {
    int escaped = escapedSize(key);
    byte[] out = new byte[escaped + HIST_TAIL_BYTES];
    escape(key, out);
    out[escaped] = 0;
    out[escaped + 1] = 1;
    BigEndian.putLong(out, escaped + 2, ~main);
    return out;
  }

  /** The row of the same user key as {@code histKey} at {@code main}. */
  static byte[] sameHistKey(byte[] histKey, long main) {
    byte[] out = histKey.clone();
    BigEndian.putLong(out, out.length - Long.BYTES, ~main);
    return out;
  }

  static int histKeyBytes(ByteString key) {
    return escapedSize(key) + HIST_TAIL_BYTES;
  }

  static long histMain(byte[] histKey) {
    return ~BigEndian.getLong(histKey, histKey.length - Long.BYTES);
  }

  static boolean sameUserKey(byte[] histKey, byte[] other) {
    return histKey.length == other.length
        && Arrays.equals(
            histKey, 0, histKey.length - Long.BYTES, other, 0, other.length - Long.BYTES);
  }

  static byte[] histUserKey(byte[] histKey) {
    int end = histKey.length - HIST_TAIL_BYTES;
    byte[] out = new byte[end];
    int length = 0;
    for (int i = 0; i < end; i++) {
      out[length++] = histKey[i];
      if (histKey[i] == 0) {
        i++;
      }
    }
    return length == end ? out : Arrays.copyOf(out, length);
  }

  static byte[] revKey(long main, int sub) {
    byte[] out = new byte[REV_KEY_BYTES];
    BigEndian.putLong(out, 0, main);
    BigEndian.putInt(out, Long.BYTES, sub);
    return out;
  }

  static long revMain(byte[] revKey) {
    return BigEndian.getLong(revKey, 0);
  }

  static int revSub(byte[] revKey) {
    return BigEndian.getInt(revKey, Long.BYTES);
  }

  static byte[] tableKey(Table table, ByteString key) {
    byte[] out = new byte[1 + key.size()];
    out[0] = table.code();
    key.copyTo(out, 1);
    return out;
  }

  /** Lower bound of the keys that come after all those with a prefix; it holds a byte below ff. */
  static byte[] afterPrefix(byte[] prefix) {
    int last = prefix.length - 1;
    while (prefix[last] == (byte) 0xff) {
      last--;
    }
    byte[] out = Arrays.copyOf(prefix, last + 1);
    out[last]++;
    return out;
  }

  private static int escapedSize(ByteString key) {
    int size = key.size();
    for (int i = 0; i < key.size(); i++) {
      if (key.byteAt(i) == 0) {
        size++;
      }
    }
    return size;
  }

  private static void escape(ByteString key, byte[] out) {
    int at = 0;
    for (int i = 0; i < key.size(); i++) {
      byte b = key.byteAt(i);
      out[at++] = b;
      if (b == 0) {
        out[at++] = (byte) 0xff;
      }
    }
  }
}
