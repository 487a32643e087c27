package io.tidemark.raftcore.peer;

import java.io.ByteArrayInputStream;
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
        return stream.readAllBytes();
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
