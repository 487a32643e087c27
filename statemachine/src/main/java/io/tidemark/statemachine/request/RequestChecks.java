package io.tidemark.statemachine.request;

import com.google.protobuf.MessageLite;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The edge's checks of a request, before it reads or proposes anything.
 *
 * <p>Each method gives the error to answer with, or null if the request may go on. The first fault
 * in etcd's order wins: what is wrong with the request itself, and then its size, which only a
 * request that goes to the log has. Immutable; any thread; never blocks.
 */
public final class RequestChecks {
  private final RequestLimits limits;

  public RequestChecks(RequestLimits limits) {
    this.limits = limits;
  }

  /** The error of a put, or null. */
  public @Nullable EtcdError put(PutRequest request) {
    EtcdError wrong = RequestShape.put(request);
    return wrong != null ? wrong : size(request);
  }

  /** The error of a delete, or null. */
  public @Nullable EtcdError deleteRange(DeleteRangeRequest request) {
    EtcdError wrong = RequestShape.deleteRange(request);
    return wrong != null ? wrong : size(request);
  }

  /** The error of a transaction, or null. A read-only one has no size limit: no log sees it. */
  public @Nullable EtcdError txn(TxnRequest request) {
    EtcdError wrong = RequestShape.txn(request, limits.maxTxnOps());
    if (wrong != null) {
      return wrong;
    }
    return isReadOnly(request) ? null : size(request);
  }

  /** The error of a range, or null. */
  public @Nullable EtcdError range(RangeRequest request) {
    return RequestShape.range(request);
  }

  /** The error of a compaction, or null. Its revision is judged when it is applied. */
  public @Nullable EtcdError compact(CompactionRequest request) {
    return size(request);
  }

  /**
   * Why a range cannot be streamed, as the text of an Unimplemented status, or null if it can.
   *
   * <p>Chunks leave in the order of the keys, so that nothing that needs the whole range first can
   * be served.
   */
  public @Nullable String streamRefusal(RangeRequest request) {
    boolean byKey = request.getSortTarget() == RangeRequest.SortTarget.KEY;
    boolean ascending = request.getSortOrder() != RangeRequest.SortOrder.DESCEND;
    if (!byKey || !ascending) {
      return "RangeStream does not support custom sort orders";
    }
    boolean filtered =
        request.getMinModRevision() != 0
            || request.getMaxModRevision() != 0
            || request.getMinCreateRevision() != 0
            || request.getMaxCreateRevision() != 0;
    return filtered ? "RangeStream does not support revision filters" : null;
  }

  /** Whether both branches hold nothing but ranges, so that the log need not see it. */
  public boolean isReadOnly(TxnRequest request) {
    return everyOperation(request, RequestOp::hasRequestRange);
  }

  /**
   * Whether both branches hold nothing but serializable ranges, so that no quorum need be asked. A
   * transaction without operations counts, whatever it compares, as in etcd.
   */
  public boolean isSerializableRead(TxnRequest request) {
    return everyOperation(
        request,
        operation -> operation.hasRequestRange() && operation.getRequestRange().getSerializable());
  }

  private static boolean everyOperation(TxnRequest request, Predicate<RequestOp> wanted) {
    return every(request.getSuccessList(), wanted) && every(request.getFailureList(), wanted);
  }

  private static boolean every(List<RequestOp> operations, Predicate<RequestOp> wanted) {
    for (RequestOp operation : operations) {
      if (!wanted.test(operation)) {
        return false;
      }
    }
    return true;
  }

  private @Nullable EtcdError size(MessageLite request) {
    return request.getSerializedSize() > limits.maxRequestBytes()
        ? EtcdError.REQUEST_TOO_LARGE
        : null;
  }
}
