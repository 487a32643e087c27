package io.tidemark.ctl.bench;

import com.google.protobuf.MessageLite;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** The methods a load calls, with answers left as bytes or not even read. */
final class RawMethods {
  private static final byte[] NOTHING = new byte[0];

  /** The answer is dropped. */
  static final MethodDescriptor<MessageLite, byte[]> PUT =
      method(KVGrpc.getPutMethod(), new Answer(false));

  /** The answer is dropped. */
  static final MethodDescriptor<MessageLite, byte[]> RANGE =
      method(KVGrpc.getRangeMethod(), new Answer(false));

  static final MethodDescriptor<MessageLite, byte[]> RANGE_READ =
      method(KVGrpc.getRangeMethod(), new Answer(true));

  static final MethodDescriptor<MessageLite, byte[]> TXN =
      method(KVGrpc.getTxnMethod(), new Answer(true));

  static final MethodDescriptor<MessageLite, byte[]> WATCH =
      method(WatchGrpc.getWatchMethod(), new Answer(true));

  /** The answer is dropped. */
  static final MethodDescriptor<MessageLite, byte[]> LEASE_GRANT =
      method(LeaseGrpc.getLeaseGrantMethod(), new Answer(false));

  /** The answer is dropped. */
  static final MethodDescriptor<MessageLite, byte[]> LEASE_REVOKE =
      method(LeaseGrpc.getLeaseRevokeMethod(), new Answer(false));

  static final MethodDescriptor<MessageLite, byte[]> KEEP_ALIVE =
      method(LeaseGrpc.getLeaseKeepAliveMethod(), new Answer(true));

  static final MethodDescriptor<MessageLite, byte[]> SNAPSHOT =
      method(MaintenanceGrpc.getSnapshotMethod(), new Answer(true));

  private RawMethods() {}

  private static MethodDescriptor<MessageLite, byte[]> method(
      MethodDescriptor<?, ?> like, Answer answer) {
    MethodType type = like.getType();
    return MethodDescriptor.newBuilder(new Request(), answer)
        .setFullMethodName(like.getFullMethodName())
        .setType(type)
        .build();
  }

  private static final class Request implements MethodDescriptor.Marshaller<MessageLite> {
    @Override
    public InputStream stream(MessageLite value) {
      return new Outgoing(value.toByteArray());
    }

    @Override
    public MessageLite parse(InputStream stream) {
      throw new UnsupportedOperationException("a client parses no requests");
    }
  }

  private static final class Answer implements MethodDescriptor.Marshaller<byte[]> {
    private final boolean kept;

    Answer(boolean kept) {
      this.kept = kept;
    }

    @Override
    public InputStream stream(byte[] value) {
      throw new UnsupportedOperationException("a client sends no answers");
    }

    @Override
    public byte[] parse(InputStream stream) {
      if (!kept) {
        return NOTHING;
      }
      try {
        return stream.readNBytes(stream.available());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Bytes that gRPC takes in one piece instead of through a copy buffer. */
  private static final class Outgoing extends ByteArrayInputStream
      implements Drainable, KnownLength {
    Outgoing(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int length = count - pos;
      target.write(buf, pos, length);
      pos = count;
      return length;
    }
  }
}
