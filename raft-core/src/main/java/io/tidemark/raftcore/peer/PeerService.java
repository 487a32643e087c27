package io.tidemark.raftcore.peer;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.tidemarkpb.MemberFigures;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/** The server side of {@link PeerCalls}. */
public final class PeerService {
  private static final byte[] NOBODY = new byte[0];

  private PeerService() {}

  /** The service for the given group, to be added to the peer port. */
  public static ServerServiceDefinition define(UUID group, PeerHandler handler) {
    PeerCalls calls = new PeerCalls(group);
    return ServerServiceDefinition.builder(calls.service())
        .addMethod(
            calls.forward(),
            ServerCalls.asyncUnaryCall(
                (entry, observer) ->
                    answer(
                        observer,
                        handler.forward(entry).thenApply(r -> new byte[] {(byte) r.code()}))))
        .addMethod(
            calls.readIndex(),
            ServerCalls.asyncUnaryCall(
                (nothing, observer) ->
                    answer(
                        observer,
                        handler.readIndex().handle((index, failure) -> encode(index, failure)))))
        .addMethod(
            calls.keepAlive(),
            ServerCalls.asyncUnaryCall(
                (ids, observer) ->
                    answer(
                        observer,
                        handler
                            .keepAlive(Longs.fromBytes(ids))
                            .handle((ttls, failure) -> encode(ttls, failure)))))
        .addMethod(
            calls.permit(),
            ServerCalls.asyncUnaryCall(
                (entry, observer) ->
                    answer(
                        observer,
                        handler.permit(entry).handle((error, failure) -> encode(error, failure)))))
        .addMethod(
            calls.digest(),
            ServerCalls.asyncUnaryCall(
                (question, observer) ->
                    answer(observer, digest(handler, question).thenApply(DigestAnswer::encode))))
        .addMethod(
            calls.figures(),
            ServerCalls.asyncUnaryCall(
                (nothing, observer) ->
                    answer(observer, handler.figures().thenApply(MemberFigures::toByteArray))))
        .build();
  }

  private static CompletableFuture<DigestAnswer> digest(PeerHandler handler, byte[] question) {
    return DigestQuestion.decode(question)
        .map(handler::digest)
        .orElseGet(() -> CompletableFuture.completedFuture(new DigestAnswer.Never()));
  }

  /** The service that answers whoever asks, member of the group or not. */
  public static ServerServiceDefinition defineForAll(PeerHandler handler) {
    return ServerServiceDefinition.builder(ClusterQuestion.SERVICE)
        .addMethod(
            ClusterQuestion.METHOD,
            ServerCalls.asyncUnaryCall(
                (question, observer) ->
                    answer(
                        observer,
                        handler
                            .describe(ClusterQuestion.decode(question))
                            .thenApply(ClusterAnswer::encode))))
        .build();
  }

  private static byte[] encode(@Nullable Optional<EtcdError> error, @Nullable Throwable failure) {
    if (error == null || failure != null) {
      return NOBODY;
    }
    return new byte[] {(byte) error.map(EtcdError::id).orElse(0).intValue()};
  }

  private static byte[] encode(long @Nullable [] ttls, @Nullable Throwable failure) {
    return ttls == null || failure != null ? NOBODY : Longs.toBytes(ttls);
  }

  private static byte[] encode(@Nullable Long index, @Nullable Throwable failure) {
    return index == null || failure != null
        ? NOBODY
        : ByteBuffer.allocate(Long.BYTES).putLong(index).array();
  }

  private static void answer(StreamObserver<byte[]> observer, CompletableFuture<byte[]> future) {
    var unused =
        future.whenComplete(
            (bytes, failure) -> {
              if (failure != null) {
                observer.onError(Status.UNKNOWN.withCause(failure).asRuntimeException());
                return;
              }
              observer.onNext(bytes);
              observer.onCompleted();
            });
  }
}
