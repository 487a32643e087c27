package io.tidemark.statemachine.request;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The checks that depend on the request alone, so that every member decides them alike.
 *
 * <p>Each method gives the first thing that is wrong, in etcd's order, or null. Applying an entry
 * asks them again, so that a command that has come past the edge does no harm.
 */
public final class RequestShape {
  private static final long LEASE_TTL_MAX_SECONDS = 9_000_000_000L;

  private RequestShape() {}

  /** What is wrong with a range, or null. */
  public static @Nullable EtcdError range(RangeRequest request) {
    if (request.getKey().isEmpty()) {
      return EtcdError.EMPTY_KEY;
    }
    boolean known =
        request.getSortOrder() != RangeRequest.SortOrder.UNRECOGNIZED
            && request.getSortTarget() != RangeRequest.SortTarget.UNRECOGNIZED;
    return known ? null : EtcdError.INVALID_SORT_OPTION;
  }

  /** What is wrong with a put, or null. */
  public static @Nullable EtcdError put(PutRequest request) {
    if (request.getKey().isEmpty()) {
      return EtcdError.EMPTY_KEY;
    }
    if (request.getIgnoreValue() && !request.getValue().isEmpty()) {
      return EtcdError.VALUE_PROVIDED;
    }
    if (request.getIgnoreLease() && request.getLease() != 0) {
      return EtcdError.LEASE_PROVIDED;
    }
    return null;
  }

  /** What is wrong with a delete, or null. */
  public static @Nullable EtcdError deleteRange(DeleteRangeRequest request) {
    return request.getKey().isEmpty() ? EtcdError.EMPTY_KEY : null;
  }

  /** What is wrong with the grant of a lease, or null. */
  public static @Nullable EtcdError leaseGrant(LeaseGrantRequest request) {
    return request.getTTL() > LEASE_TTL_MAX_SECONDS ? EtcdError.LEASE_TTL_TOO_LARGE : null;
  }

  /** What is wrong with a transaction of any size, or null. */
  public static @Nullable EtcdError txn(TxnRequest request) {
    return txn(request, Integer.MAX_VALUE);
  }

  static @Nullable EtcdError txn(TxnRequest request, int maxOps) {
    EtcdError wrong = operations(request, maxOps);
    if (wrong != null) {
      return wrong;
    }
    // Only now, when the lists are known to be short.
    return DuplicateKeys.foundIn(request) ? EtcdError.DUPLICATE_KEY : null;
  }

  private static @Nullable EtcdError operations(TxnRequest request, int maxOps) {
    int longest =
        Math.max(
            request.getCompareCount(),
            Math.max(request.getSuccessCount(), request.getFailureCount()));
    if (longest > maxOps) {
      return EtcdError.TOO_MANY_OPS;
    }
    for (Compare compare : request.getCompareList()) {
      if (compare.getKey().isEmpty()) {
        return EtcdError.EMPTY_KEY;
      }
    }
    EtcdError wrong = branch(request.getSuccessList(), maxOps - longest);
    return wrong != null ? wrong : branch(request.getFailureList(), maxOps - longest);
  }

  private static @Nullable EtcdError branch(List<RequestOp> branch, int maxNestedOps) {
    for (RequestOp operation : branch) {
      EtcdError wrong = operation(operation, maxNestedOps);
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }

  private static @Nullable EtcdError operation(RequestOp operation, int maxNestedOps) {
    return switch (operation.getRequestCase()) {
      case REQUEST_RANGE -> range(operation.getRequestRange());
      case REQUEST_PUT -> put(operation.getRequestPut());
      case REQUEST_DELETE_RANGE -> deleteRange(operation.getRequestDeleteRange());
      case REQUEST_TXN -> operations(operation.getRequestTxn(), maxNestedOps);
      case REQUEST_NOT_SET -> EtcdError.KEY_NOT_FOUND;
    };
  }
}
