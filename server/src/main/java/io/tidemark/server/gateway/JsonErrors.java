package io.tidemark.server.gateway;

import io.grpc.Status;
import io.tidemark.server.http.HttpAnswer;

/**
 * Errors as grpc-gateway writes them. Names of old and new releases stand side by side, so that
 * clients of either find theirs.
 */
final class JsonErrors {
  private JsonErrors() {}

  /** The answer to a call that failed before it had answered anything. */
  static HttpAnswer answer(Status status) {
    String text = JsonMessages.quoted(text(status));
    return HttpAnswer.json(
        http(status.getCode()),
        "{\"error\":"
            + text
            + ",\"code\":"
            + status.getCode().value()
            + ",\"message\":"
            + text
            + "}");
  }

  /** The last line of a stream that failed. */
  static String line(Status status) {
    int code = status.getCode().value();
    return "{\"error\":{\"grpc_code\":"
        + code
        + ",\"http_code\":"
        + http(status.getCode())
        + ",\"code\":"
        + code
        + ",\"message\":"
        + JsonMessages.quoted(text(status))
        + "}}\n";
  }

  /** The HTTP status of a gRPC code. */
  static int http(Status.Code code) {
    return switch (code) {
      case OK -> 200;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
      case UNAUTHENTICATED -> 401;
      case PERMISSION_DENIED -> 403;
      case NOT_FOUND -> 404;
      case ALREADY_EXISTS, ABORTED -> 409;
      case RESOURCE_EXHAUSTED -> 429;
      case CANCELLED -> 499;
      case UNKNOWN, INTERNAL, DATA_LOSS -> 500;
      case UNIMPLEMENTED -> 501;
      case UNAVAILABLE -> 503;
      case DEADLINE_EXCEEDED -> 504;
    };
  }

  private static String text(Status status) {
    String description = status.getDescription();
    return description == null ? "" : description;
  }
}
