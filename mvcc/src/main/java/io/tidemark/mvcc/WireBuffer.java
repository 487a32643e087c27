package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import java.util.Arrays;

/**
 * Builds field 2 of a {@code RangeResponse} from stored bytes: each entry is written once, with its
 * tags, straight into the answer. One thread.
 */
final class WireBuffer {
  private static final int KVS_TAG = 0x12;
  private static final int KEY_TAG = 0x0A;
  private static final int CREATE_TAG = 0x10;
  private static final int MOD_TAG = 0x18;
  private static final int VERSION_TAG = 0x20;
  private static final int VALUE_TAG = 0x2A;
  private static final int LEASE_TAG = 0x30;
  private static final int MAX_OVERHEAD_BYTES = 64;

  private byte[] buffer;
  private int size;

  WireBuffer(int capacity) {
    buffer = new byte[capacity];
  }

  void append(VisibleCursor entry, boolean withValue) {
    int valueLength = withValue ? entry.valueLength : 0;
    int length =
        bytesSize(entry.key.length)
            + numberSize(entry.create)
            + numberSize(entry.mod)
            + numberSize(entry.version)
            + bytesSize(valueLength)
            + numberSize(entry.lease);
    reserve(Math.addExact(length, MAX_OVERHEAD_BYTES));
    buffer[size++] = KVS_TAG;
    varint(length);
    bytes(KEY_TAG, entry.key, 0, entry.key.length);
    number(CREATE_TAG, entry.create);
    number(MOD_TAG, entry.mod);
    number(VERSION_TAG, entry.version);
    bytes(VALUE_TAG, entry.buffer, entry.valueOffset, valueLength);
    number(LEASE_TAG, entry.lease);
  }

  /** Hands the bytes over; nothing may be appended afterwards. */
  ByteString finish() {
    return size == 0 ? ByteString.EMPTY : UnsafeByteOperations.unsafeWrap(buffer, 0, size);
  }

  // Absent means zero or empty on the wire: such fields are left out.
  private static int numberSize(long value) {
    return value == 0 ? 0 : 1 + CodedOutputStream.computeUInt64SizeNoTag(value);
  }

  private static int bytesSize(int length) {
    return length == 0 ? 0 : 1 + CodedOutputStream.computeUInt32SizeNoTag(length) + length;
  }

  private void number(int tag, long value) {
    if (value != 0) {
      buffer[size++] = (byte) tag;
      varint(value);
    }
  }

  private void bytes(int tag, byte[] from, int offset, int length) {
    if (length != 0) {
      buffer[size++] = (byte) tag;
      varint(length);
      System.arraycopy(from, offset, buffer, size, length);
      size += length;
    }
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      buffer[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[size++] = (byte) rest;
  }

  private void reserve(int bytes) {
    int needed = Math.addExact(size, bytes);
    if (needed > buffer.length) {
      int doubled = buffer.length < Integer.MAX_VALUE / 2 ? buffer.length * 2 : needed;
      buffer = Arrays.copyOf(buffer, Math.max(needed, doubled));
    }
  }
}
