package io.tidemark.it.differential;

import com.google.common.util.concurrent.MoreExecutors;
import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks one member: bytes out, bytes in, one attempt each. */
final class RawMember implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;

  private final ManagedChannel channel;

  private RawMember(ManagedChannel channel) {
    this.channel = channel;
  }

  /** A connection to {@code host:port}, made when first used. */
  static RawMember at(String endpoint) {
    return new RawMember(
        NettyChannelBuilder.forTarget(endpoint).usePlaintext().disableRetry().build());
  }

  /** Sends one request, and nothing after it on a stream; completes when the call has ended. */
  CompletableFuture<Reply> ask(Ask ask) {
    ClientCall<byte[], byte[]> call =
        channel.newCall(
            ask.call().rawMethod(),
            CallOptions.DEFAULT
                .withExecutor(MoreExecutors.directExecutor())
                .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS));
    Collector collector = new Collector();
    call.start(collector, new Metadata());
    call.request(Integer.MAX_VALUE);
    call.sendMessage(ask.request().toByteArray());
    call.halfClose();
    return collector.ended;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private static final class Collector extends ClientCall.Listener<byte[]> {
    private final CompletableFuture<Reply> ended = new CompletableFuture<>();
    private final List<ByteString> messages = new ArrayList<>();

    @Override
    public void onMessage(byte[] message) {
      messages.add(ByteString.copyFrom(message));
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      ended.complete(Reply.of(status, messages));
    }
  }
}
