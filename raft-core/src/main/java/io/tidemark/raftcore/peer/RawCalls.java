package io.tidemark.raftcore.peer;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;

/** Unary methods whose messages are plain bytes. */
final class RawCalls {
  private static final MethodDescriptor.Marshaller<byte[]> BYTES = new Bytes();

  private RawCalls() {}

  static MethodDescriptor<byte[], byte[]> unary(String service, String method) {
    return MethodDescriptor.<byte[], byte[]>newBuilder(BYTES, BYTES)
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service, method))
        .build();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new KnownBytes(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        // All of an uncompressed message is there. Reading without a length gathers pieces first.
        byte[] bytes = new byte[stream.available()];
        if (stream.readNBytes(bytes, 0, bytes.length) != bytes.length || stream.read() != -1) {
          throw new EOFException("a message of another length than its transport said");
        }
        return bytes;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class KnownBytes extends ByteArrayInputStream
      implements org.apache.ratis.thirdparty.io.grpc.KnownLength {
    KnownBytes(byte[] value) {
      super(value);
    }
  }
}
