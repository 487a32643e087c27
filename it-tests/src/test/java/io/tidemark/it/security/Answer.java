package io.tidemark.it.security;

import io.grpc.Status;
import java.util.Set;

/**
 * How a spoilt call ended.
 *
 * @param status of the call; of a watch that was refused inside its stream, that refusal
 */
record Answer(SampleCall call, Status status) {
  private static final Set<String> IN_THE_CONTRACT =
      Set.of(
          "bcrypt: password length exceeds 72 bytes",
          "auth: authentication failed, password was given for no password user",
          "etcdserver: unknown method",
          "etcdserver: re-configuration failed due to not enough started members");

  private String text() {
    return String.valueOf(status.getDescription());
  }

  /** Whether the contract lets a sound server answer so, whatever the request was. */
  boolean isProper() {
    return switch (status.getCode()) {
      case OK,
          INVALID_ARGUMENT,
          NOT_FOUND,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          UNAUTHENTICATED,
          FAILED_PRECONDITION,
          OUT_OF_RANGE ->
          true;
      case CANCELLED, DEADLINE_EXCEEDED -> call.waits();
      case INTERNAL -> text().startsWith("grpc: error unmarshalling request: ");
      case UNKNOWN -> IN_THE_CONTRACT.contains(text()) || (isRecipe() && !isFault());
      // As etcd's: what this method doesn't take.
      case UNIMPLEMENTED -> text().startsWith("RangeStream does not support ");
      case ABORTED, DATA_LOSS, RESOURCE_EXHAUSTED, UNAVAILABLE -> false;
    };
  }

  /** Locks and elections answer every refusal with this code. */
  private boolean isRecipe() {
    return call.name().startsWith("v3");
  }

  private boolean isFault() {
    return text().contains("internal error") || text().equals("null");
  }

  @Override
  public String toString() {
    return call.name() + ": " + status.getCode() + " " + status.getDescription();
  }
}
