package io.tidemark.raftcore.peer;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.tidemarkpb.MemberFigures;
import io.tidemark.raftcore.metrics.PeerTraffic;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.ratis.thirdparty.io.grpc.Attributes;
import org.apache.ratis.thirdparty.io.grpc.ClientStreamTracer;
import org.apache.ratis.thirdparty.io.grpc.ConnectivityState;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;

/**
 * The client side of {@link PeerCalls}: one lazily opened channel per peer. Thread-safe; calls
 * don't block.
 */
public final class PeerChannels implements AutoCloseable {
  private final PeerCalls calls;
  private final Function<String, ManagedChannel> opener;
  private final PeerTraffic traffic;
  private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

  /**
   * Channels to the members of a group.
   *
   * @param opener makes the channel to a peer id
   * @param traffic counts what goes and comes
   */
  public PeerChannels(UUID group, Function<String, ManagedChannel> opener, PeerTraffic traffic) {
    this.calls = new PeerCalls(group);
    this.opener = opener;
    this.traffic = traffic;
  }

  /** Hands an entry to the member that is thought to lead. Never completes exceptionally. */
  public CompletableFuture<SendResult> forward(String peerId, byte[] entry, long timeoutNanos) {
    Departure departure = new Departure();
    return call(peerId, calls.forward(), entry, timeoutNanos, departure)
        .handle(
            (answer, failure) -> {
              if (failure != null) {
                return departure.neverLeft() || unimplemented(failure)
                    ? SendResult.REFUSED
                    : SendResult.UNKNOWN;
              }
              return answer.length == 1 ? SendResult.of(answer[0]) : SendResult.UNKNOWN;
            });
  }

  /** Asks a member for a confirmed index; exceptional when there is none. */
  public CompletableFuture<Long> readIndex(String peerId, long timeoutNanos) {
    return call(peerId, calls.readIndex(), new byte[0], timeoutNanos, new Departure())
        .thenApply(
            answer -> {
              if (answer.length != Long.BYTES) {
                throw Status.FAILED_PRECONDITION
                    .withDescription(peerId + " doesn't lead")
                    .asRuntimeException();
              }
              return ByteBuffer.wrap(answer).getLong();
            });
  }

  /** Has a member renew leases; exceptional when it can't, or doesn't lead. */
  public CompletableFuture<long[]> keepAlive(String peerId, long[] ids, long timeoutNanos) {
    return call(peerId, calls.keepAlive(), Longs.toBytes(ids), timeoutNanos, new Departure())
        .thenApply(Longs::fromBytes);
  }

  /** Asks the leader for the error that forbids a change of members; exceptional without one. */
  public CompletableFuture<Optional<EtcdError>> permit(
      String peerId, byte[] change, long timeoutNanos) {
    return call(peerId, calls.permit(), change, timeoutNanos, new Departure())
        .thenApply(
            answer -> {
              if (answer.length != 1) {
                throw Status.FAILED_PRECONDITION
                    .withDescription(peerId + " doesn't lead")
                    .asRuntimeException();
              }
              return answer[0] == 0 ? Optional.empty() : Optional.of(EtcdError.byId(answer[0]));
            });
  }

  /** Asks a member for the hash of its data; exceptional when there is no answer. */
  public CompletableFuture<DigestAnswer> digest(
      String peerId, DigestQuestion question, long timeoutNanos) {
    return call(peerId, calls.digest(), question.encode(), timeoutNanos, new Departure())
        .thenApply(DigestAnswer::decode);
  }

  /** Asks a member about itself; exceptional when there is no answer. */
  public CompletableFuture<MemberFigures> figures(String peerId, long timeoutNanos) {
    return call(peerId, calls.figures(), new byte[0], timeoutNanos, new Departure())
        .thenApply(
            answer -> {
              try {
                return MemberFigures.parseFrom(answer);
              } catch (InvalidProtocolBufferException e) {
                throw Status.INTERNAL.withCause(e).asRuntimeException();
              }
            });
  }

  /** Asks a member about its cluster; exceptional when there is no answer. */
  public CompletableFuture<ClusterAnswer> describe(
      String peerId, ClusterQuestion question, long timeoutNanos) {
    return call(peerId, ClusterQuestion.METHOD, question.encode(), timeoutNanos, new Departure())
        .thenApply(ClusterAnswer::decode);
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
  }

  private CompletableFuture<byte[]> call(
      String peerId,
      MethodDescriptor<byte[], byte[]> method,
      byte[] request,
      long timeoutNanos,
      Departure departure) {
    ManagedChannel channel = channels.computeIfAbsent(peerId, opener);
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      // The peer may be back; gRPC's own pause between attempts grows to minutes.
      channel.resetConnectBackoff();
    }
    PeerTraffic.Peer peer = traffic.peer(peerId);
    peer.sends(request.length);
    return ClusterQuestion.raw(
            channel,
            method,
            request,
            ClusterQuestion.options(timeoutNanos).withStreamTracerFactory(departure))
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                peer.receives(answer.length);
              } else {
                peer.failsToSend();
              }
            });
  }

  private static boolean unimplemented(Throwable failure) {
    return failure instanceof StatusRuntimeException status
        && status.getStatus().getCode() == Status.Code.UNIMPLEMENTED;
  }

  /** Whether a call got as far as a connection: before that, the peer can't have seen it. */
  private static final class Departure extends ClientStreamTracer.Factory {
    private volatile boolean left;

    boolean neverLeft() {
      return !left;
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      return new ClientStreamTracer() {
        @Override
        public void streamCreated(Attributes transport, Metadata sent) {
          left = true;
        }

        @Override
        public void outboundHeaders() {
          left = true;
        }
      };
    }
  }
}
