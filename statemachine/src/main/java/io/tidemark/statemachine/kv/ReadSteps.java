package io.tidemark.statemachine.kv;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.mvcc.RevisionException;

/**
 * Runs the steps of a plan that only reads; each gives its serialized ResponseOp. A range at a
 * revision that cannot be read throws {@link RevisionException}: nothing was written that would
 * have to be taken back.
 */
public final class ReadSteps implements TxnPlan.Step.Cases<ByteString> {
  private final KeySpace keys;

  public ReadSteps(KeySpace keys) {
    this.keys = keys;
  }

  @Override
  public ByteString range(RangeRequest request) {
    RevisionException refusal = Ranges.refusalInTxn(request, keys);
    if (refusal != null) {
      throw refusal;
    }
    return ResponseBytes.rangeOp(Ranges.answer(request, keys));
  }

  @Override
  public ByteString nested(TxnPlan plan) {
    return ResponseBytes.txnOp(ResponseBytes.nestedTxn(plan.succeeded(), plan.run(this)));
  }

  @Override
  public ByteString put(PutRequest request) {
    throw new IllegalArgumentException("a put in a transaction that only reads");
  }

  @Override
  public ByteString deleteRange(DeleteRangeRequest request) {
    throw new IllegalArgumentException("a delete in a transaction that only reads");
  }
}
