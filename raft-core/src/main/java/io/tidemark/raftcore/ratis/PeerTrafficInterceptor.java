package io.tidemark.raftcore.ratis;

import io.tidemark.raftcore.metrics.PeerTraffic;
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
        String sender = RaftSender.of(message);
        if (sender == null) {
          return;
        }
        from = traffic.peer(sender);
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
}
