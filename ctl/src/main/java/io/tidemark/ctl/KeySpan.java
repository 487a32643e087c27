package io.tidemark.ctl;

import com.google.protobuf.ByteString;

/**
 * A key or a range of keys as the wire knows it.
 *
 * @param key first key
 * @param end key after the last one; empty for a single key, one zero byte for no end
 */
record KeySpan(ByteString key, ByteString end) {
  private static final ByteString ZERO = ByteString.copyFrom(new byte[] {0});

  /** By etcdctl's rules: {@code [key, end)}, all keys with a prefix, or all keys from one on. */
  static KeySpan of(String key, String end, boolean prefix, boolean fromKey) {
    if (prefix && fromKey) {
      throw CommandFailure.badArguments(
          "`--prefix` and `--from-key` cannot be set at the same time, choose one");
    }
    if (!end.isEmpty() && (prefix || fromKey)) {
      throw CommandFailure.badArguments(
          "too many arguments, only accept one argument when `--prefix` or `--from-key` is set");
    }
    ByteString first = ByteString.copyFromUtf8(key);
    if (!prefix && !fromKey) {
      return new KeySpan(first, ByteString.copyFromUtf8(end));
    }
    if (first.isEmpty()) {
      return new KeySpan(ZERO, ZERO);
    }
    return new KeySpan(first, fromKey ? ZERO : afterPrefix(first));
  }

  /** As {@code role get} shows a permission. */
  static String permission(ByteString key, ByteString end) {
    boolean prefix = !key.isEmpty() && afterPrefix(key).equals(end);
    return words(key, end) + (prefix ? " (prefix " + key.toStringUtf8() + ")" : "");
  }

  /** A single key as it is, a range in brackets. */
  static String words(ByteString key, ByteString end) {
    String first = key.toStringUtf8();
    if (end.isEmpty()) {
      return first;
    }
    return "[" + first + ", " + (end.equals(ZERO) ? "<open ended>" : end.toStringUtf8() + ")");
  }

  /** The smallest key above all keys with the prefix. */
  static ByteString afterPrefix(ByteString prefix) {
    byte[] bytes = prefix.toByteArray();
    for (int i = bytes.length - 1; i >= 0; i--) {
      if (bytes[i] != (byte) 0xff) {
        bytes[i]++;
        return ByteString.copyFrom(bytes, 0, i + 1);
      }
    }
    return ZERO;
  }
}
