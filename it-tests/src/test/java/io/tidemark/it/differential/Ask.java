package io.tidemark.it.differential;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.stream.Stream;

/** One request. */
record Ask(Call call, Message request) {
  /** Whether the member that is asked answers from what it has, without asking the others. */
  boolean isLocal() {
    return switch (call) {
      case RANGE -> ((RangeRequest) request).getSerializable();
      case TXN -> operations().allMatch(op -> op.getRequestRange().getSerializable());
      case LEASE_LEASES -> true;
      case PUT,
          DELETE_RANGE,
          COMPACT,
          LEASE_GRANT,
          LEASE_REVOKE,
          LEASE_KEEP_ALIVE,
          LEASE_TIME_TO_LIVE ->
          false;
    };
  }

  /** The operations of both branches, if it is a transaction; nested ones stay nested. */
  Stream<RequestOp> operations() {
    return request instanceof TxnRequest txn
        ? Stream.concat(txn.getSuccessList().stream(), txn.getFailureList().stream())
        : Stream.empty();
  }

  /**
   * Whether the only puts stand in transactions inside a transaction: etcd 3.4 doesn't see them
   * when there is no space, and carries them out (docs/compatibility.md).
   */
  boolean putsOnlyInside() {
    return operations().noneMatch(RequestOp::hasRequestPut)
        && operations().anyMatch(RequestOp::hasRequestTxn);
  }

  @Override
  public String toString() {
    return call + " {" + TextFormat.printer().shortDebugString(request) + "}";
  }
}
