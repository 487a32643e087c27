package io.tidemark.server.rpc;

import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import java.util.Locale;

/** Errors as the status that clients match: code and text, no details. */
public final class RpcStatus {
  private RpcStatus() {}

  public static Status of(EtcdError error) {
    return Status.fromCodeValue(error.code()).withDescription(error.message());
  }

  /** An error as Go prints a status, which is how watches name the reason of a refusal. */
  public static String inGoWords(EtcdError error) {
    StringBuilder code = new StringBuilder();
    for (String word : Status.fromCodeValue(error.code()).getCode().name().split("_", -1)) {
      code.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return "rpc error: code = " + code + " desc = " + error.message();
  }

  static Status tooLarge(int size, int max) {
    return Status.RESOURCE_EXHAUSTED.withDescription(
        "grpc: received message larger than max (" + size + " vs. " + max + ")");
  }

  static Status malformed(String detail) {
    return Status.INTERNAL.withDescription("grpc: error unmarshalling request: " + detail);
  }
}
