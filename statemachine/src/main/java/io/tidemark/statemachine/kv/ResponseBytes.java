package io.tidemark.statemachine.kv;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.ResponseOp;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.RangePage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts serialized responses together from stored bytes, without a message object for each pair.
 *
 * <p>The bytes are those that the generated classes would write, fields in the order of their
 * numbers. A header holds nothing but the revision.
 */
public final class ResponseBytes {
  /** The wire type of messages and strings. */
  private static final int LENGTH_DELIMITED = 2;

  private static final ByteString EMPTY_HEADER =
      field(TxnResponse.HEADER_FIELD_NUMBER, ByteString.EMPTY);

  private ResponseBytes() {}

  /** A serialized PutResponse. */
  public static ByteString put(long revision, @Nullable KeyValue previous) {
    ByteString header = header(revision);
    return previous == null
        ? header
        : header.concat(field(PutResponse.PREV_KV_FIELD_NUMBER, previous.toByteString()));
  }

  /**
   * A serialized DeleteRangeResponse.
   *
   * @param previous the deleted pairs to tell; empty if they were not asked for
   */
  public static ByteString deleteRange(long revision, long deleted, List<KeyValue> previous) {
    DeleteRangeResponse body =
        DeleteRangeResponse.newBuilder().setDeleted(deleted).addAllPrevKvs(previous).build();
    return header(revision).concat(body.toByteString());
  }

  /** A serialized RangeResponse. */
  public static ByteString range(long revision, RangePage page) {
    return header(revision).concat(page.kvs()).concat(rangeTail(page.more(), page.count()));
  }

  /** Any serialized response that has nothing but a header. */
  public static ByteString headerOnly(long revision) {
    return header(revision);
  }

  /**
   * A serialized TxnResponse of a whole transaction.
   *
   * @param operations serialized ResponseOps, in execution order
   */
  public static ByteString txn(long revision, boolean succeeded, List<ByteString> operations) {
    return txn(header(revision), succeeded, operations);
  }

  /** A serialized TxnResponse of a transaction inside a transaction: its header is empty. */
  public static ByteString nestedTxn(boolean succeeded, List<ByteString> operations) {
    return txn(EMPTY_HEADER, succeeded, operations);
  }

  /** A serialized ResponseOp around a serialized RangeResponse. */
  public static ByteString rangeOp(ByteString response) {
    return field(ResponseOp.RESPONSE_RANGE_FIELD_NUMBER, response);
  }

  /** A serialized ResponseOp around a serialized PutResponse. */
  public static ByteString putOp(ByteString response) {
    return field(ResponseOp.RESPONSE_PUT_FIELD_NUMBER, response);
  }

  /** A serialized ResponseOp around a serialized DeleteRangeResponse. */
  public static ByteString deleteRangeOp(ByteString response) {
    return field(ResponseOp.RESPONSE_DELETE_RANGE_FIELD_NUMBER, response);
  }

  /** A serialized ResponseOp around a serialized TxnResponse. */
  public static ByteString txnOp(ByteString response) {
    return field(ResponseOp.RESPONSE_TXN_FIELD_NUMBER, response);
  }

  /** What follows the pairs in a RangeResponse. */
  static ByteString rangeTail(boolean more, long count) {
    return RangeResponse.newBuilder().setMore(more).setCount(count).build().toByteString();
  }

  private static ByteString txn(ByteString header, boolean succeeded, List<ByteString> operations) {
    List<ByteString> parts = new ArrayList<>(operations.size() + 2);
    parts.add(header);
    if (succeeded) {
      parts.add(TxnResponse.newBuilder().setSucceeded(true).build().toByteString());
    }
    for (ByteString operation : operations) {
      parts.add(field(TxnResponse.RESPONSES_FIELD_NUMBER, operation));
    }
    return ByteString.copyFrom(parts);
  }

  /** The header field, which has number 1 in every response. */
  private static ByteString header(long revision) {
    int length = CodedOutputStream.computeInt64Size(ResponseHeader.REVISION_FIELD_NUMBER, revision);
    return write(
        CodedOutputStream.computeTagSize(PutResponse.HEADER_FIELD_NUMBER)
            + CodedOutputStream.computeUInt32SizeNoTag(length)
            + length,
        out -> {
          out.writeTag(PutResponse.HEADER_FIELD_NUMBER, LENGTH_DELIMITED);
          out.writeUInt32NoTag(length);
          out.writeInt64(ResponseHeader.REVISION_FIELD_NUMBER, revision);
        });
  }

  private static ByteString field(int number, ByteString message) {
    ByteString prefix =
        write(
            CodedOutputStream.computeTagSize(number)
                + CodedOutputStream.computeUInt32SizeNoTag(message.size()),
            out -> {
              out.writeTag(number, LENGTH_DELIMITED);
              out.writeUInt32NoTag(message.size());
            });
    return prefix.concat(message);
  }

  private static ByteString write(int size, Content content) {
    byte[] bytes = new byte[size];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      content.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("a field outgrew its own size", e);
    }
    out.checkNoSpaceLeft();
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  private interface Content {
    void writeTo(CodedOutputStream out) throws IOException;
  }
}
