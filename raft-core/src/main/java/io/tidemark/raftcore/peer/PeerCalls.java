package io.tidemark.raftcore.peer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;

/**
 * The calls between members, as raw bytes.
 *
 * <p>The service's name holds the version and the group, so that a stranger who happens to listen
 * on a peer address answers "unimplemented" and has done nothing.
 *
 * <ul>
 *   <li>{@code Forward}: an encoded entry; answered by one byte, see {@link SendResult#code}.
 *   <li>{@code ReadIndex}: nothing; answered by eight bytes, the index, or by nothing when the
 *       asked member doesn't lead.
 *   <li>{@code KeepAlive}: lease ids, eight bytes each; answered by the granted TTL of each, eight
 *       bytes, 0 for no lease, once the renewals are committed; or by nothing when the asked member
 *       couldn't, and then it may be asked again.
 * </ul>
 */
final class PeerCalls {
  private static final MethodDescriptor.Marshaller<byte[]> BYTES = new Bytes();

  private final String service;
  private final MethodDescriptor<byte[], byte[]> forward;
  private final MethodDescriptor<byte[], byte[]> readIndex;
  private final MethodDescriptor<byte[], byte[]> keepAlive;

  PeerCalls(UUID group) {
    this.service = "tidemark.peer.v1." + group;
    this.forward = unary("Forward");
    this.readIndex = unary("ReadIndex");
    this.keepAlive = unary("KeepAlive");
  }

  String service() {
    return service;
  }

  MethodDescriptor<byte[], byte[]> forward() {
    return forward;
  }

  MethodDescriptor<byte[], byte[]> readIndex() {
    return readIndex;
  }

  MethodDescriptor<byte[], byte[]> keepAlive() {
    return keepAlive;
  }

  private MethodDescriptor<byte[], byte[]> unary(String method) {
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
