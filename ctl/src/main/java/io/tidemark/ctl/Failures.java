package io.tidemark.ctl;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** What the user reads when a call fails. Pure. */
final class Failures {
  private static final String SERVER_PREFIX = "etcdserver: ";

  private Failures() {}

  static String message(StatusRuntimeException failure) {
    Status status = failure.getStatus();
    String text = status.getDescription();
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED
        && (text == null || !text.startsWith(SERVER_PREFIX))) {
      return "context deadline exceeded";
    }
    if (text == null) {
      return status.getCode().name();
    }
    Throwable cause = failure.getCause();
    return cause != null && cause.getMessage() != null && !text.startsWith(SERVER_PREFIX)
        ? text + " (" + cause.getMessage() + ")"
        : text;
  }

  static int exitCode(StatusRuntimeException failure) {
    String text = failure.getStatus().getDescription();
    boolean fromServer = text != null && text.startsWith(SERVER_PREFIX);
    return failure.getStatus().getCode() == Status.Code.UNAVAILABLE && !fromServer
        ? CommandFailure.BAD_CONNECTION
        : CommandFailure.ERROR;
  }
}
