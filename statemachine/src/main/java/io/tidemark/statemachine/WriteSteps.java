package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.statemachine.kv.KeySpace;
import io.tidemark.statemachine.kv.Ranges;
import io.tidemark.statemachine.kv.ResponseBytes;
import io.tidemark.statemachine.kv.TxnPlan;
import io.tidemark.statemachine.lease.EntryLeases;
import java.util.List;

/**
 * Carries out operations that have passed every check, and gives each one's serialized ResponseOp.
 * Thread: apply.
 */
final class WriteSteps implements TxnPlan.Step.Cases<ByteString> {
  private final EntryBatch batch;
  private final KeySpace keys;
  private final EntryLeases leases;

  WriteSteps(EntryBatch batch, KeySpace keys, EntryLeases leases) {
    this.batch = batch;
    this.keys = keys;
    this.leases = leases;
  }

  @Override
  public ByteString range(RangeRequest request) {
    return ResponseBytes.rangeOp(Ranges.answer(request, keys));
  }

  @Override
  public ByteString put(PutRequest request) {
    return ResponseBytes.putOp(putResponse(request));
  }

  @Override
  public ByteString deleteRange(DeleteRangeRequest request) {
    return ResponseBytes.deleteRangeOp(deleteRangeResponse(request));
  }

  @Override
  public ByteString nested(TxnPlan plan) {
    return ResponseBytes.txnOp(ResponseBytes.nestedTxn(plan.succeeded(), plan.run(this)));
  }

  /** Puts, and gives the serialized PutResponse. */
  ByteString putResponse(PutRequest request) {
    ByteString value = request.getValue();
    long lease = request.getLease();
    if (request.getIgnoreValue() || request.getIgnoreLease()) {
      KeyValue kept = batch.get(request.getKey());
      if (kept == null) {
        throw new IllegalStateException("a put that keeps a missing key passed the checks");
      }
      value = request.getIgnoreValue() ? kept.getValue() : value;
      lease = request.getIgnoreLease() ? kept.getLease() : lease;
    }
    KeyValue previous = batch.put(request.getKey(), value, lease);
    leases.moved(request.getKey(), previous == null ? 0 : previous.getLease(), lease);
    return ResponseBytes.put(keys.revision(), request.getPrevKv() ? previous : null);
  }

  /** Deletes, and gives the serialized DeleteRangeResponse. */
  ByteString deleteRangeResponse(DeleteRangeRequest request) {
    List<KeyValue> deleted =
        batch.deleteRange(new KeyRange(request.getKey(), request.getRangeEnd()));
    for (KeyValue pair : deleted) {
      leases.moved(pair.getKey(), pair.getLease(), 0);
    }
    return ResponseBytes.deleteRange(
        keys.revision(), deleted.size(), request.getPrevKv() ? deleted : List.of());
  }
}
