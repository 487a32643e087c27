package io.tidemark.it.differential;

import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.Compare.CompareResult;
import io.tidemark.api.etcdserverpb.Compare.CompareTarget;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.List;

/** Random transactions, up to three inside each other. */
final class TxnRequests {
  private static final int DEPTH_MAX = 3;
  private static final int NOBODY_KNOWS = 9;

  private final World world;
  private final KvRequests operations;

  TxnRequests(World world, KvRequests operations) {
    this.world = world;
    this.operations = operations;
  }

  TxnRequest txn() {
    boolean reading = world.percent(20);
    TxnRequest txn = txn(1, reading);
    return endsWithoutKeeping(txn) ? txn : keepingNothing(txn);
  }

  private TxnRequest txn(int depth, boolean reading) {
    TxnRequest.Builder txn = TxnRequest.newBuilder();
    int compares = length();
    for (int i = 0; i < compares; i++) {
      txn.addCompare(compare());
    }
    int success = length();
    for (int i = 0; i < success; i++) {
      txn.addSuccess(operation(depth, reading));
    }
    int failure = length();
    for (int i = 0; i < failure; i++) {
      txn.addFailure(operation(depth, reading));
    }
    return txn.build();
  }

  private int length() {
    return world.percent(2) ? DifferentialRun.TXN_OPS_MAX + 1 : world.below(4);
  }

  private RequestOp operation(int depth, boolean reading) {
    RequestOp.Builder operation = RequestOp.newBuilder();
    if (reading || world.percent(35)) {
      return operation.setRequestRange(range()).build();
    }
    if (depth < DEPTH_MAX && world.percent(30)) {
      return operation.setRequestTxn(txn(depth + 1, false)).build();
    }
    if (world.percent(70)) {
      return operation.setRequestPut(operations.put()).build();
    }
    return world.percent(1)
        ? operation.build()
        : operation.setRequestDeleteRange(operations.deleteRange()).build();
  }

  /** Most reads are of a revision that can be read, or transactions would hardly ever pass. */
  private RangeRequest range() {
    RangeRequest range = operations.range();
    return world.percent(80) && range.getRevision() != 0
        ? range.toBuilder().setRevision(world.readable()).build()
        : range;
  }

  /** The operand belongs to the target or is absent: another one stops a real etcd. */
  private Compare compare() {
    CompareTarget target = CompareTarget.forNumber(world.below(CompareTarget.LEASE_VALUE + 1));
    CompareResult result = CompareResult.forNumber(world.below(CompareResult.NOT_EQUAL_VALUE + 1));
    Compare.Builder compare =
        Compare.newBuilder().setKey(world.key()).setTarget(target).setResult(result);
    if (world.percent(25)) {
      compare.setRangeEnd(world.rangeEnd());
    }
    if (world.percent(1)) {
      compare.setResultValue(NOBODY_KNOWS);
    }
    if (world.percent(1)) {
      return compare.setTargetValue(NOBODY_KNOWS).build();
    }
    if (world.percent(10)) {
      return compare.build();
    }
    return switch (target) {
      case VERSION -> compare.setVersion(world.below(4)).build();
      case CREATE -> compare.setCreateRevision(revision()).build();
      case MOD -> compare.setModRevision(revision()).build();
      case VALUE -> compare.setValue(world.value()).build();
      case LEASE -> compare.setLease(world.percent(50) ? 0 : world.lease()).build();
      case UNRECOGNIZED -> throw new AssertionError(target);
    };
  }

  private long revision() {
    return world.percent(25) ? 0 : world.revision();
  }

  /**
   * A put that keeps something of a key which an open-ended delete of the same transaction takes
   * away stops a real etcd.
   */
  private static boolean endsWithoutKeeping(TxnRequest txn) {
    return all(txn.getSuccessList()) && all(txn.getFailureList());
  }

  private static boolean all(List<RequestOp> operations) {
    return operations.stream()
        .noneMatch(
            op ->
                op.getRequestDeleteRange().getRangeEnd().equals(World.OPEN_END)
                    || (op.hasRequestTxn() && !endsWithoutKeeping(op.getRequestTxn())));
  }

  private static TxnRequest keepingNothing(TxnRequest txn) {
    TxnRequest.Builder changed = txn.toBuilder();
    changed.getSuccessBuilderList().forEach(TxnRequests::keepNothing);
    changed.getFailureBuilderList().forEach(TxnRequests::keepNothing);
    return changed.build();
  }

  private static void keepNothing(RequestOp.Builder operation) {
    if (operation.hasRequestPut()) {
      PutRequest.Builder put = operation.getRequestPutBuilder();
      put.clearIgnoreValue().clearIgnoreLease();
    } else if (operation.hasRequestTxn()) {
      operation.setRequestTxn(keepingNothing(operation.getRequestTxn()));
    }
  }
}
