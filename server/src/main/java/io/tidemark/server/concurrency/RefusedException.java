package io.tidemark.server.concurrency;

import io.grpc.Status;
import io.tidemark.server.rpc.Reply;
import java.util.concurrent.CompletionException;

/** Ends a call of these services. Whatever went wrong, the code is UNKNOWN and the text says it. */
final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RefusedException(String message) {
    super(message, null, false, false);
  }

  /** Tells the client why its call failed. */
  static void report(Reply reply, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof RefusedException) {
      reply.fail(Status.UNKNOWN.withDescription(cause.getMessage()));
    } else {
      reply.fault(cause);
    }
  }
}
