package io.tidemark.it.security;

import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One request and its replies. Unlike a blocking stub's, none is left behind in the client. */
final class Conversation<R> extends ClientCall.Listener<R> {
  private final ClientCall<?, R> call;
  private final boolean firstOnly;
  private final List<R> replies = new ArrayList<>();
  private final CompletableFuture<Status> ended = new CompletableFuture<>();

  private Conversation(ClientCall<?, R> call, boolean firstOnly) {
    this.call = call;
    this.firstOnly = firstOnly;
  }

  /**
   * All replies, once the call has ended.
   *
   * @throws io.grpc.StatusRuntimeException if it didn't end well
   */
  static <Q, R> List<R> whole(Channel channel, MethodDescriptor<Q, R> method, Q request) {
    return hold(channel, method, request, false);
  }

  /** The first reply of a call that would go on; it is cancelled then. */
  static <Q, R> R opening(Channel channel, MethodDescriptor<Q, R> method, Q request) {
    return hold(channel, method, request, true).get(0);
  }

  private static <Q, R> List<R> hold(
      Channel channel, MethodDescriptor<Q, R> method, Q request, boolean firstOnly) {
    ClientCall<Q, R> call =
        channel.newCall(
            method,
            CallOptions.DEFAULT
                .withExecutor(MoreExecutors.directExecutor())
                .withDeadlineAfter(60, TimeUnit.SECONDS));
    Conversation<R> conversation = new Conversation<>(call, firstOnly);
    call.start(conversation, new Metadata());
    call.request(firstOnly ? 1 : Integer.MAX_VALUE);
    call.sendMessage(request);
    call.halfClose();
    Status status = conversation.ended.join();
    if (!status.isOk()) {
      throw status.asRuntimeException();
    }
    return conversation.replies;
  }

  @Override
  public void onMessage(R reply) {
    replies.add(reply);
    if (firstOnly) {
      ended.complete(Status.OK);
      call.cancel("heard", null);
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    ended.complete(status);
  }
}
