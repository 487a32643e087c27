package io.tidemark.server.access;

import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Whether what a client wants to add still fits. Only the member that takes the request looks; the
 * estimates are etcd's (contract section 4). Any thread.
 *
 * @param bytes largest size of the store; negative means without limit
 * @param size the store's size now
 */
public record Quota(long bytes, LongSupplier size) {
  /** What a lease is reckoned to take. */
  public static final long LEASE_COST = 64;

  private static final long PAIR_OVERHEAD = 256;

  /** Whether so much more fits. */
  public boolean admits(long cost) {
    return bytes < 0 || size.getAsLong() + cost < bytes;
  }

  public static long cost(PutRequest request) {
    return PAIR_OVERHEAD + request.getKey().size() + request.getValue().size();
  }

  /** The dearer one of the two branches. */
  public static long cost(TxnRequest request) {
    return Math.max(cost(request.getSuccessList()), cost(request.getFailureList()));
  }

  private static long cost(List<RequestOp> operations) {
    long cost = 0;
    for (RequestOp operation : operations) {
      cost +=
          switch (operation.getRequestCase()) {
            case REQUEST_PUT -> cost(operation.getRequestPut());
            case REQUEST_TXN -> cost(operation.getRequestTxn());
            case REQUEST_RANGE, REQUEST_DELETE_RANGE, REQUEST_NOT_SET -> 0;
          };
    }
    return cost;
  }
}
