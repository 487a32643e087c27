package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.Comparator;
import java.util.Objects;

/**
 * A set of keys as the wire spells it: an empty {@code rangeEnd} means the single {@code key}, a
 * {@code rangeEnd} of one zero byte means every key from {@code key} on, anything else the
 * half-open interval {@code [key, rangeEnd)} in unsigned byte order.
 */
public record KeyRange(ByteString key, ByteString rangeEnd) {
  private static final ByteString OPEN_END = ByteString.copyFrom(new byte[] {0});
  private static final Comparator<ByteString> ORDER =
      ByteString.unsignedLexicographicalComparator();

  /** Every key there can be. */
  public static final KeyRange ALL = new KeyRange(ByteString.EMPTY, OPEN_END);

  public KeyRange {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(rangeEnd, "rangeEnd");
  }

  /** The range that holds {@code key} only. */
  public static KeyRange single(ByteString key) {
    return new KeyRange(key, ByteString.EMPTY);
  }

  /** Every key from {@code key} on. */
  public static KeyRange from(ByteString key) {
    return new KeyRange(key, OPEN_END);
  }

  /** Every key that begins with {@code prefix}; all keys for an empty prefix. */
  public static KeyRange prefix(ByteString prefix) {
    for (int i = prefix.size() - 1; i >= 0; i--) {
      int unsigned = prefix.byteAt(i) & 0xff;
      if (unsigned != 0xff) {
        byte[] end = prefix.substring(0, i + 1).toByteArray();
        end[i] = (byte) (unsigned + 1);
        return new KeyRange(prefix, ByteString.copyFrom(end));
      }
    }
    return from(prefix);
  }

  public boolean isSingle() {
    return rangeEnd.isEmpty();
  }

  public boolean isUnbounded() {
    return rangeEnd.size() == 1 && rangeEnd.byteAt(0) == 0;
  }

  /** True when no key can be inside. */
  public boolean isEmpty() {
    return !isSingle() && !isUnbounded() && ORDER.compare(key, rangeEnd) >= 0;
  }

  public boolean contains(ByteString candidate) {
    if (isSingle()) {
      return key.equals(candidate);
    }
    return ORDER.compare(candidate, key) >= 0
        && (isUnbounded() || ORDER.compare(candidate, rangeEnd) < 0);
  }
}
