package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.Arrays;

/**
 * A write batch in RocksDB's own serialized form (the form of its log records), so that an entry
 * crosses into native code once and not once per row.
 *
 * <p>Header: sequence 8 (zero), record count 4, both little-endian. Record: tag, family id as a
 * varint, then length-prefixed key and, for a put, length-prefixed value.
 */
final class RawBatch {
  private static final int HEADER_BYTES = 12;
  private static final byte DELETE = 0x4;
  private static final byte PUT = 0x5;
  private static final byte SINGLE_DELETE = 0x8;
  private static final byte DELETE_RANGE = 0xE;

  private byte[] buffer;
  private int size = HEADER_BYTES;
  private int count;

  RawBatch(int capacity) {
    buffer = new byte[HEADER_BYTES + capacity];
  }

  void put(int family, byte[] key, byte[] value) {
    beginPut(family, key, value.length);
    append(value);
  }

  /** Begins a put whose value the caller appends, exactly {@code valueBytes} of it. */
  void beginPut(int family, byte[] key, int valueBytes) {
    beginRecord(PUT, family);
    lengthPrefixed(key);
    varint(valueBytes);
  }

  void beginPut(int family, ByteString key, int valueBytes) {
    beginRecord(PUT, family);
    lengthPrefixed(key);
    varint(valueBytes);
  }

  void delete(int family, byte[] key) {
    beginRecord(DELETE, family);
    lengthPrefixed(key);
  }

  void delete(int family, ByteString key) {
    beginRecord(DELETE, family);
    lengthPrefixed(key);
  }

  /** For rows that are written once and removed once, and never removed in another way. */
  void singleDelete(int family, byte[] key) {
    beginRecord(SINGLE_DELETE, family);
    lengthPrefixed(key);
  }

  /** Removes {@code [from, end)}. */
  void deleteRange(int family, byte[] from, byte[] end) {
    beginRecord(DELETE_RANGE, family);
    lengthPrefixed(from);
    lengthPrefixed(end);
  }

  void append(byte value) {
    reserve(1);
    buffer[size++] = value;
  }

  void append(int value) {
    reserve(Integer.BYTES);
    BigEndian.putInt(buffer, size, value);
    size += Integer.BYTES;
  }

  void append(long value) {
    reserve(Long.BYTES);
    BigEndian.putLong(buffer, size, value);
    size += Long.BYTES;
  }

  void append(byte[] bytes) {
    reserve(bytes.length);
    System.arraycopy(bytes, 0, buffer, size, bytes.length);
    size += bytes.length;
  }

  void append(ByteString bytes) {
    reserve(bytes.size());
    bytes.copyTo(buffer, size);
    size += bytes.size();
  }

  boolean isEmpty() {
    return count == 0;
  }

  int size() {
    return size;
  }

  byte[] toBytes() {
    BigEndian.putInt(buffer, Long.BYTES, Integer.reverseBytes(count));
    return Arrays.copyOf(buffer, size);
  }

  private void beginRecord(byte tag, int family) {
    count++;
    append(tag);
    varint(family);
  }

  private void lengthPrefixed(byte[] bytes) {
    varint(bytes.length);
    append(bytes);
  }

  private void lengthPrefixed(ByteString bytes) {
    varint(bytes.size());
    append(bytes);
  }

  private void varint(int value) {
    reserve(5);
    int rest = value;
    while ((rest & ~0x7f) != 0) {
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
