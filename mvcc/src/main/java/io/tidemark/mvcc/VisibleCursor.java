package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.mvccpb.KeyValue;

/**
 * Walks the keys that are visible at one revision, ascending, and shows each through its fields, so
 * that a range answer needs no object per key. The arrays stay valid after {@link #next()}. One
 * thread.
 */
abstract class VisibleCursor implements AutoCloseable {
  byte[] key = {};
  long mod;
  int sub;
  long create;
  long version;
  long lease;
  byte[] buffer = {};
  int valueOffset;
  int valueLength;

  /** Moves to the next visible key; false at the end. */
  abstract boolean next();

  @Override
  public abstract void close();

  final KeyValue toKeyValue() {
    return KeyValue.newBuilder()
        .setKey(UnsafeByteOperations.unsafeWrap(key))
        .setCreateRevision(create)
        .setModRevision(mod)
        .setVersion(version)
        .setValue(UnsafeByteOperations.unsafeWrap(buffer, valueOffset, valueLength))
        .setLease(lease)
        .build();
  }

  final void showCur(byte[] curKey, byte[] row) {
    key = curKey;
    mod = BigEndian.getLong(row, 0);
    sub = BigEndian.getInt(row, 8);
    create = BigEndian.getLong(row, 12);
    version = BigEndian.getLong(row, 20);
    lease = BigEndian.getLong(row, 28);
    buffer = row;
    valueOffset = Version.CUR_HEADER_BYTES;
    valueLength = row.length - Version.CUR_HEADER_BYTES;
  }

  final void showHist(byte[] userKey, long main, byte[] row) {
    key = userKey;
    mod = main;
    sub = BigEndian.getInt(row, 0);
    create = BigEndian.getLong(row, 4);
    version = BigEndian.getLong(row, 12);
    lease = BigEndian.getLong(row, 20);
    buffer = row;
    valueOffset = Version.HIST_HEADER_BYTES;
    valueLength = row.length - Version.HIST_HEADER_BYTES;
  }

  final void show(ByteString shownKey, Version shown) {
    key = shownKey.toByteArray();
    mod = shown.mod();
    sub = shown.sub();
    create = shown.create();
    version = shown.version();
    lease = shown.lease();
    buffer = shown.value().toByteArray();
    valueOffset = 0;
    valueLength = buffer.length;
  }

  final void showSameAs(VisibleCursor other) {
    key = other.key;
    mod = other.mod;
    sub = other.sub;
    create = other.create;
    version = other.version;
    lease = other.lease;
    buffer = other.buffer;
    valueOffset = other.valueOffset;
    valueLength = other.valueLength;
  }
}
