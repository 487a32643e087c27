package io.tidemark.statemachine.read;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.mvcc.RangePage;
import io.tidemark.mvcc.RangeQuery;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionException;
import io.tidemark.statemachine.kv.KeySpace;
import io.tidemark.statemachine.kv.Ranges;
import io.tidemark.statemachine.kv.ReadSteps;
import io.tidemark.statemachine.kv.ResponseBytes;
import io.tidemark.statemachine.kv.TxnPlan;

/**
 * Ranges and read-only transactions on a pinned view.
 *
 * <p>Whether the view is fresh enough for a linearizable read is the caller's affair. Requests must
 * have passed the request checks. Thread: the one that holds the view; blocks on disk.
 */
public final class KvReads {
  private KvReads() {}

  /** The store's query for a range request. */
  public static RangeQuery query(RangeRequest request) {
    return Ranges.query(request);
  }

  /**
   * The pairs that a range asks for.
   *
   * @throws RevisionException if its revision is compacted or in the future
   */
  public static RangePage range(ReadView view, RangeRequest request) {
    return view.range(Ranges.query(request));
  }

  /**
   * The serialized RangeResponse; its header holds nothing but the view's revision.
   *
   * @throws RevisionException if its revision is compacted or in the future
   */
  public static ByteString rangeResponse(ReadView view, RangeRequest request) {
    return Ranges.answer(request, new ViewKeys(view));
  }

  /**
   * The answer of a transaction that only reads; headers hold nothing but revisions.
   *
   * @throws RevisionException if a range of the chosen branch cannot be read
   */
  public static TxnResponse readOnlyTxn(ReadView view, TxnRequest request) {
    try {
      return TxnResponse.parseFrom(readOnlyTxnResponse(view, request));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a response of our own making is unreadable", e);
    }
  }

  /**
   * As {@link #readOnlyTxn}, serialized.
   *
   * @throws RevisionException if a range of the chosen branch cannot be read
   */
  public static ByteString readOnlyTxnResponse(ReadView view, TxnRequest request) {
    KeySpace keys = new ViewKeys(view);
    TxnPlan plan = TxnPlan.of(request, keys);
    return ResponseBytes.txn(view.revision(), plan.succeeded(), plan.run(new ReadSteps(keys)));
  }

  /** The error that tells a client why a revision cannot be read. */
  public static EtcdError error(RevisionException refusal) {
    return Ranges.error(refusal);
  }
}
