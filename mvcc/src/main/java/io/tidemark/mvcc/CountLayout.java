package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.Arrays;

/**
 * How rows of the family {@code count} look.
 *
 * <p>Bucket and group: code, first key of the span. Run: code and level in one byte, first revision
 * of the run, first key in the row.
 */
final class CountLayout {
  static final byte BUCKET = 1;
  static final byte GROUP = 2;
  static final int RUN_HEAD_BYTES = 9;
  private static final int RUN = 0x10;

  private CountLayout() {}

  static byte[] spanKey(byte code, ByteString start) {
    byte[] out = new byte[1 + start.size()];
    out[0] = code;
    start.copyTo(out, 1);
    return out;
  }

  static byte[] spanKey(byte code, byte[] start) {
    byte[] out = new byte[1 + start.length];
    out[0] = code;
    System.arraycopy(start, 0, out, 1, start.length);
    return out;
  }

  static byte[] spanStart(byte[] spanKey) {
    return Arrays.copyOfRange(spanKey, 1, spanKey.length);
  }

  /** Lower bound of what comes after all spans of a kind. */
  static byte[] afterSpans(byte code) {
    return new byte[] {(byte) (code + 1)};
  }

  /** Lower bound of a run's rows. */
  static byte[] runKey(int level, long first) {
    byte[] out = new byte[RUN_HEAD_BYTES];
    out[0] = (byte) (RUN + level);
    BigEndian.putLong(out, 1, first);
    return out;
  }

  static byte[] runKey(int level, long first, byte[] key) {
    byte[] out = Arrays.copyOf(runKey(level, first), RUN_HEAD_BYTES + key.length);
    System.arraycopy(key, 0, out, RUN_HEAD_BYTES, key.length);
    return out;
  }

  static boolean isOfLevel(int level, byte[] runKey) {
    return runKey[0] == RUN + level;
  }

  static long runFirst(byte[] runKey) {
    return BigEndian.getLong(runKey, 1);
  }
}
