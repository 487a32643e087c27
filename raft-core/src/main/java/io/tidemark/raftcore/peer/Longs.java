package io.tidemark.raftcore.peer;

import java.nio.ByteBuffer;

/** Numbers as bytes, eight each, big-endian; a rest that is no number is dropped. */
final class Longs {
  private Longs() {}

  static byte[] toBytes(long[] numbers) {
    ByteBuffer out = ByteBuffer.allocate(numbers.length * Long.BYTES);
    for (long number : numbers) {
      out.putLong(number);
    }
    return out.array();
  }

  static long[] fromBytes(byte[] bytes) {
    long[] numbers = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).asLongBuffer().get(numbers);
    return numbers;
  }
}
