package io.tidemark.server.rpc;

import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;

/** Errors as the status that clients match: code and text, no details. */
public final class RpcStatus {
  private RpcStatus() {}

  public static Status of(EtcdError error) {
    return Status.fromCodeValue(error.code()).withDescription(error.message());
  }

  static Status tooLarge(int size, int max) {
    return Status.RESOURCE_EXHAUSTED.withDescription(
        "grpc: received message larger than max (" + size + " vs. " + max + ")");
  }

  static Status malformed(String detail) {
    return Status.INTERNAL.withDescription("grpc: error unmarshalling request: " + detail);
  }
}
