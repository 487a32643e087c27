package io.tidemark.ctl.bench;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The keys and values of a load: {@code size} keys of equal length under one prefix, values cut
 * from a pool of random bytes so that no server gains by compressing them. Immutable.
 */
public final class KeySpace {
  private static final int DIGITS = 9;
  private static final int POOL_BYTES = 1 << 20;

  private final String prefix;
  private final byte[] prefixBytes;
  private final int size;
  private final int valueBytes;
  private final long seed;
  private final byte[] pool;

  public KeySpace(String prefix, int size, int valueBytes, long seed) {
    if (prefix.isEmpty() || size < 1 || size > 999_999_999 || valueBytes < 0) {
      throw new IllegalArgumentException("a key space needs a prefix and at least one key");
    }
    this.prefix = prefix;
    this.prefixBytes = prefix.getBytes(StandardCharsets.UTF_8);
    this.size = size;
    this.valueBytes = valueBytes;
    this.seed = seed;
    this.pool = new byte[POOL_BYTES + valueBytes];
    new SplittableRandom(seed).nextBytes(pool);
  }

  public String prefix() {
    return prefix;
  }

  public int size() {
    return size;
  }

  public int valueBytes() {
    return valueBytes;
  }

  /** A stream of random numbers that belongs to one caller; the same for the same seed. */
  SplittableRandom random(int caller) {
    return new SplittableRandom(seed * 1_000_003L + caller);
  }

  ByteString key(int index) {
    byte[] key = new byte[prefixBytes.length + DIGITS];
    System.arraycopy(prefixBytes, 0, key, 0, prefixBytes.length);
    int rest = index;
    for (int at = key.length - 1; at >= prefixBytes.length; at--) {
      key[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return UnsafeByteOperations.unsafeWrap(key);
  }

  ByteString randomKey(SplittableRandom random) {
    return key(random.nextInt(size));
  }

  ByteString randomValue(SplittableRandom random) {
    return UnsafeByteOperations.unsafeWrap(pool, random.nextInt(POOL_BYTES), valueBytes);
  }

  /** A value whose first eight bytes are {@code stamp}, big end first. */
  ByteString stampedValue(SplittableRandom random, long stamp) {
    byte[] value = new byte[Math.max(Long.BYTES, valueBytes)];
    System.arraycopy(pool, random.nextInt(POOL_BYTES - Long.BYTES), value, 0, value.length);
    for (int i = 0; i < Long.BYTES; i++) {
      value[i] = (byte) (stamp >>> (56 - 8 * i));
    }
    return UnsafeByteOperations.unsafeWrap(value);
  }

  ByteString prefixKey() {
    return UnsafeByteOperations.unsafeWrap(prefixBytes);
  }

  /** The end of the range of all keys with the prefix; a prefix of 0xff bytes only has none. */
  ByteString prefixEnd() {
    for (int length = prefixBytes.length; length > 0; length--) {
      if (prefixBytes[length - 1] != (byte) 0xff) {
        byte[] end = Arrays.copyOf(prefixBytes, length);
        end[length - 1]++;
        return UnsafeByteOperations.unsafeWrap(end);
      }
    }
    return ByteString.copyFrom(new byte[1]);
  }
}
