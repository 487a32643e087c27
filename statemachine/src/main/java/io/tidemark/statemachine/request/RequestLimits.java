package io.tidemark.statemachine.request;

/**
 * The limits of this member's edge. They may differ between members, so applying never asks them.
 *
 * @param maxTxnOps the longest list of a transaction; a nested one has what its parents leave
 * @param maxRequestBytes the largest serialized request that is proposed
 */
public record RequestLimits(int maxTxnOps, int maxRequestBytes) {
  public RequestLimits {
    if (maxTxnOps < 0 || maxRequestBytes < 0) {
      throw new IllegalArgumentException(
          "negative limit: maxTxnOps " + maxTxnOps + ", maxRequestBytes " + maxRequestBytes);
    }
  }
}
