package io.tidemark.watch;

import com.google.protobuf.ByteString;

/** Unsigned byte order of keys. */
final class KeyOrder {
  private KeyOrder() {}

  static int compare(ByteString left, ByteString right) {
    int common = Math.min(left.size(), right.size());
    for (int i = 0; i < common; i++) {
      int difference = (left.byteAt(i) & 0xff) - (right.byteAt(i) & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return left.size() - right.size();
  }
}
