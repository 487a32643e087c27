package io.tidemark.raftcore.peer;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.Channel;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;

/**
 * The one call that needs no knowledge of the cluster: a member asks for what it is to join, and
 * who is there. Fresh (1), id of the member in question (8, 0 for none); answered by a {@link
 * ClusterAnswer}.
 *
 * @param fresh whether the answer must show everything that was committed before the question, as
 *     far as that can be had in two seconds
 */
public record ClusterQuestion(boolean fresh, long memberId) {
  static final String SERVICE = "tidemark.cluster.v1";
  static final MethodDescriptor<byte[], byte[]> METHOD = RawCalls.unary(SERVICE, "Describe");

  private static final int BYTES = 1 + Long.BYTES;

  /** Asks; exceptional when there is no answer. Doesn't block. */
  public CompletableFuture<ClusterAnswer> ask(Channel channel, long timeoutNanos) {
    return raw(channel, METHOD, encode(), options(timeoutNanos)).thenApply(ClusterAnswer::decode);
  }

  static CallOptions options(long timeoutNanos) {
    return CallOptions.DEFAULT.withDeadlineAfter(Math.max(1, timeoutNanos), TimeUnit.NANOSECONDS);
  }

  /** A call as a future. */
  static CompletableFuture<byte[]> raw(
      Channel channel,
      MethodDescriptor<byte[], byte[]> method,
      byte[] request,
      CallOptions options) {
    CompletableFuture<byte[]> future = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(
        channel.newCall(method, options),
        request,
        new StreamObserver<>() {
          @Override
          public void onNext(byte[] answer) {
            future.complete(answer);
          }

          @Override
          public void onError(Throwable failure) {
            future.completeExceptionally(failure);
          }

          @Override
          public void onCompleted() {
            future.completeExceptionally(
                Status.INTERNAL.withDescription("no answer").asRuntimeException());
          }
        });
    return future;
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES).put((byte) (fresh ? 1 : 0)).putLong(memberId).array();
  }

  /**
   * Reads a question.
   *
   * @throws IllegalArgumentException if it is none
   */
  static ClusterQuestion decode(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a question of " + bytes.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new ClusterQuestion(in.get() != 0, in.getLong());
  }
}
