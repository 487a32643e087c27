package io.tidemark.raftcore.ratis;

import io.tidemark.raftcore.metrics.PeerTraffic;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Counts what other members' Ratis sends to this one and is answered. Who sends stands in the
 * messages, and is the same for all of a call. Other calls say nothing of that, and are counted
 * where they are made. Thread-safe.
 */
final class PeerTrafficInterceptor implements ServerInterceptor {
  private final PeerTraffic traffic;

  PeerTrafficInterceptor(PeerTraffic traffic) {
    this.traffic = traffic;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Counted<Q, A> counted = new Counted<>(call);
    return new SimpleForwardingServerCallListener<>(next.startCall(counted, headers)) {
      @Override
      public void onMessage(Q message) {
        counted.came(message);
        super.onMessage(message);
      }
    };
  }

  private final class Counted<Q, A> extends SimpleForwardingServerCall<Q, A> {
    /** Set by the first message, before anything answers it. */
    private volatile PeerTraffic.@Nullable Peer peer;

    Counted(ServerCall<Q, A> call) {
      super(call);
    }

    void came(Q message) {
      PeerTraffic.Peer from = peer;
      if (from == null) {
        RaftRpcRequestProto request = header(message);
        if (request == null) {
          return;
        }
        from = traffic.peer(request.getRequestorId().toStringUtf8());
        peer = from;
      }
      from.receives(size(message));
    }

    @Override
    public void sendMessage(A message) {
      PeerTraffic.Peer to = peer;
      if (to != null) {
        to.sends(size(message));
      }
      super.sendMessage(message);
    }
  }

  private static long size(@Nullable Object message) {
    return message instanceof MessageLite proto ? proto.getSerializedSize() : 0;
  }

  private static @Nullable RaftRpcRequestProto header(@Nullable Object message) {
    if (message instanceof AppendEntriesRequestProto append) {
      return append.getServerRequest();
    }
    if (message instanceof RequestVoteRequestProto vote) {
      return vote.getServerRequest();
    }
    return message instanceof InstallSnapshotRequestProto install
        ? install.getServerRequest()
        : null;
  }
}
