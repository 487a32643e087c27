package io.tidemark.statemachine.testing;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.List;

/** Requests in few words. */
public final class Requests {
  /** A range end that means "no end". */
  public static final String OPEN = "\0";

  private Requests() {}

  public static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  public static PutRequest put(String key, String value) {
    return PutRequest.newBuilder().setKey(bytes(key)).setValue(bytes(value)).build();
  }

  public static DeleteRangeRequest delete(String key) {
    return delete(key, "");
  }

  public static DeleteRangeRequest delete(String key, String end) {
    return DeleteRangeRequest.newBuilder().setKey(bytes(key)).setRangeEnd(bytes(end)).build();
  }

  public static RangeRequest range(String key) {
    return range(key, "");
  }

  public static RangeRequest range(String key, String end) {
    return RangeRequest.newBuilder().setKey(bytes(key)).setRangeEnd(bytes(end)).build();
  }

  public static RangeRequest rangeAt(String key, long revision) {
    return range(key).toBuilder().setRevision(revision).build();
  }

  public static CompactionRequest compact(long revision) {
    return CompactionRequest.newBuilder().setRevision(revision).build();
  }

  public static RequestOp op(PutRequest request) {
    return RequestOp.newBuilder().setRequestPut(request).build();
  }

  public static RequestOp op(DeleteRangeRequest request) {
    return RequestOp.newBuilder().setRequestDeleteRange(request).build();
  }

  public static RequestOp op(RangeRequest request) {
    return RequestOp.newBuilder().setRequestRange(request).build();
  }

  public static RequestOp op(TxnRequest request) {
    return RequestOp.newBuilder().setRequestTxn(request).build();
  }

  /** An unconditional transaction. */
  public static TxnRequest txn(RequestOp... operations) {
    return TxnRequest.newBuilder().addAllSuccess(List.of(operations)).build();
  }

  public static TxnRequest txn(List<Compare> compares, List<RequestOp> then, List<RequestOp> els) {
    return TxnRequest.newBuilder()
        .addAllCompare(compares)
        .addAllSuccess(then)
        .addAllFailure(els)
        .build();
  }

  public static Compare version(String key, Compare.CompareResult result, long version) {
    return Compare.newBuilder()
        .setKey(bytes(key))
        .setTarget(Compare.CompareTarget.VERSION)
        .setResult(result)
        .setVersion(version)
        .build();
  }

  public static Compare value(String key, Compare.CompareResult result, String value) {
    return Compare.newBuilder()
        .setKey(bytes(key))
        .setTarget(Compare.CompareTarget.VALUE)
        .setResult(result)
        .setValue(bytes(value))
        .build();
  }

  /** Holds only if the key exists. */
  public static Compare exists(String key) {
    return version(key, Compare.CompareResult.GREATER, 0);
  }

  /** Holds only if the key does not exist. */
  public static Compare absent(String key) {
    return version(key, Compare.CompareResult.EQUAL, 0);
  }
}
