package io.tidemark.raftcore.ratis;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Bytes across the border to Ratis's shaded protobuf, without copies where both sides allow it. The
 * arrays behind are never written again.
 */
final class SharedBytes {
  private SharedBytes() {}

  /** The same bytes for Ratis. */
  static org.apache.ratis.thirdparty.com.google.protobuf.ByteString toRatis(ByteString bytes) {
    Captured captured = new Captured(bytes.size());
    try {
      UnsafeByteOperations.unsafeWriteTo(bytes, captured.unshaded());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations.unsafeWrap(
        captured.array, captured.offset, captured.length);
  }

  /** The same bytes for Ratis. */
  static org.apache.ratis.thirdparty.com.google.protobuf.ByteString toRatis(byte[] bytes) {
    return org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations.unsafeWrap(bytes);
  }

  /** The same bytes for us. */
  static ByteString fromRatis(org.apache.ratis.thirdparty.com.google.protobuf.ByteString bytes) {
    Captured captured = new Captured(bytes.size());
    try {
      org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations.unsafeWriteTo(
          bytes, captured.shaded());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return UnsafeByteOperations.unsafeWrap(captured.array, captured.offset, captured.length);
  }

  /**
   * The array behind a byte string: the very one when it is in one piece, else a copy.
   *
   * <p>{@link #unshaded} and {@link #shaded} say the same twice: the two {@code ByteOutput} are
   * abstract classes without a common supertype but Object, and a class can extend only one.
   */
  private static final class Captured {
    private final int size;
    private byte[] array = new byte[0];
    private int offset;
    private int length;

    Captured(int size) {
      this.size = size;
    }

    void piece(byte[] value, int from, int count, boolean mayKeep) {
      if (count == 0) {
        return;
      }
      if (length == 0 && count == size && mayKeep) {
        array = value;
        offset = from;
      } else {
        if (length == 0) {
          array = new byte[size];
        }
        System.arraycopy(value, from, array, length, count);
      }
      length += count;
    }

    void piece(ByteBuffer value) {
      byte[] copy = new byte[value.remaining()];
      value.get(copy);
      piece(copy, 0, copy.length, true);
    }

    com.google.protobuf.ByteOutput unshaded() {
      return new com.google.protobuf.ByteOutput() {
        @Override
        public void write(byte value) {
          piece(new byte[] {value}, 0, 1, true);
        }

        @Override
        public void write(byte[] value, int from, int count) {
          piece(value, from, count, false);
        }

        @Override
        public void writeLazy(byte[] value, int from, int count) {
          piece(value, from, count, true);
        }

        @Override
        public void write(ByteBuffer value) {
          piece(value);
        }

        @Override
        public void writeLazy(ByteBuffer value) {
          piece(value);
        }
      };
    }

    org.apache.ratis.thirdparty.com.google.protobuf.ByteOutput shaded() {
      return new org.apache.ratis.thirdparty.com.google.protobuf.ByteOutput() {
        @Override
        public void write(byte value) {
          piece(new byte[] {value}, 0, 1, true);
        }

        @Override
        public void write(byte[] value, int from, int count) {
          piece(value, from, count, false);
        }

        @Override
        public void writeLazy(byte[] value, int from, int count) {
          piece(value, from, count, true);
        }

        @Override
        public void write(ByteBuffer value) {
          piece(value);
        }

        @Override
        public void writeLazy(ByteBuffer value) {
          piece(value);
        }
      };
    }
  }
}
