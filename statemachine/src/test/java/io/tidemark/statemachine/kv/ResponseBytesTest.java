package io.tidemark.statemachine.kv;

import static io.tidemark.statemachine.testing.Requests.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.ResponseOp;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.RangePage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every response is what the generated class would have written, byte for byte. */
final class ResponseBytesTest {
  private static final List<Long> REVISIONS = List.of(1L, 127L, 128L, 1L << 40, Long.MAX_VALUE);
  private static final KeyValue PAIR =
      KeyValue.newBuilder().setKey(bytes("k")).setValue(bytes("v".repeat(300))).build();

  private static ResponseHeader header(long revision) {
    return ResponseHeader.newBuilder().setRevision(revision).build();
  }

  @Test
  void put() {
    for (long revision : REVISIONS) {
      PutResponse.Builder expected = PutResponse.newBuilder().setHeader(header(revision));
      assertEquals(expected.build().toByteString(), ResponseBytes.put(revision, null));
      assertEquals(
          expected.setPrevKv(PAIR).build().toByteString(), ResponseBytes.put(revision, PAIR));
    }
  }

  @Test
  void deleteRange() {
    DeleteRangeResponse.Builder expected = DeleteRangeResponse.newBuilder().setHeader(header(5));
    assertEquals(expected.build().toByteString(), ResponseBytes.deleteRange(5, 0, List.of()));
    expected.setDeleted(2);
    assertEquals(expected.build().toByteString(), ResponseBytes.deleteRange(5, 2, List.of()));
    expected.addPrevKvs(PAIR).addPrevKvs(PAIR);
    assertEquals(
        expected.build().toByteString(), ResponseBytes.deleteRange(5, 2, List.of(PAIR, PAIR)));
  }

  @Test
  void range() {
    ByteString kvs = RangeResponse.newBuilder().addKvs(PAIR).addKvs(PAIR).build().toByteString();
    RangeResponse.Builder expected = RangeResponse.newBuilder().setHeader(header(300));
    assertEquals(
        expected.build().toByteString(),
        ResponseBytes.range(300, new RangePage(ByteString.EMPTY, 0, 0, false)));
    expected.addKvs(PAIR).addKvs(PAIR).setCount(2);
    assertEquals(
        expected.build().toByteString(), ResponseBytes.range(300, new RangePage(kvs, 2, 2, false)));
    expected.setMore(true).setCount(1000);
    assertEquals(
        expected.build().toByteString(),
        ResponseBytes.range(300, new RangePage(kvs, 2, 1000, true)));
  }

  @Test
  void compact() {
    assertEquals(
        CompactionResponse.newBuilder().setHeader(header(8)).build().toByteString(),
        ResponseBytes.headerOnly(8));
  }

  @Test
  void txn() {
    PutResponse put = PutResponse.newBuilder().setHeader(header(8)).setPrevKv(PAIR).build();
    DeleteRangeResponse delete = DeleteRangeResponse.newBuilder().setHeader(header(8)).build();
    RangeResponse range = RangeResponse.newBuilder().setHeader(header(8)).build();
    TxnResponse nested =
        TxnResponse.newBuilder()
            .setHeader(ResponseHeader.getDefaultInstance())
            .addResponses(ResponseOp.newBuilder().setResponsePut(put))
            .build();
    TxnResponse expected =
        TxnResponse.newBuilder()
            .setHeader(header(8))
            .setSucceeded(true)
            .addResponses(ResponseOp.newBuilder().setResponseRange(range))
            .addResponses(ResponseOp.newBuilder().setResponsePut(put))
            .addResponses(ResponseOp.newBuilder().setResponseDeleteRange(delete))
            .addResponses(ResponseOp.newBuilder().setResponseTxn(nested))
            .build();
    ByteString putOp = ResponseBytes.putOp(put.toByteString());
    assertEquals(
        expected.toByteString(),
        ResponseBytes.txn(
            8,
            true,
            List.of(
                ResponseBytes.rangeOp(range.toByteString()),
                putOp,
                ResponseBytes.deleteRangeOp(delete.toByteString()),
                ResponseBytes.txnOp(ResponseBytes.nestedTxn(false, List.of(putOp))))));
  }

  @Test
  void anEmptyTxn() {
    assertEquals(
        TxnResponse.newBuilder().setHeader(header(1)).setSucceeded(true).build().toByteString(),
        ResponseBytes.txn(1, true, List.of()));
  }
}
