package io.tidemark.statemachine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.statemachine.BatchId;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.EntryCodec;
import io.tidemark.statemachine.EntrySummary;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestSummaryTest {
  private static final String SECRET = "s3cret";

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static PutRequest put(String key) {
    return PutRequest.newBuilder().setKey(bytes(key)).setValue(bytes(SECRET)).build();
  }

  @Test
  void valuesAreSizes() {
    assertEquals("key:\"a\" value_size:6", RequestSummary.of(put("a")));
    assertEquals(
        "key:\"a\" value_size:6 lease:7",
        RequestSummary.of(put("a").toBuilder().setLease(7).build()));
  }

  @Test
  void keysAreCutShortAndPrintable() {
    String text = RequestSummary.of(put("k\n\0" + "x".repeat(997)));
    assertEquals("key:\"k\\n\\000" + "x".repeat(61) + "\"...1000 value_size:6", text);
  }

  @Test
  void rangesShowWhatMakesThemLarge() {
    RangeRequest range =
        RangeRequest.newBuilder()
            .setKey(bytes("a"))
            .setRangeEnd(bytes("b"))
            .setLimit(5)
            .setSerializable(true)
            .build();
    assertEquals("key:\"a\" range_end:\"b\" limit:5 serializable:true", RequestSummary.of(range));
  }

  @Test
  void transactionsShowTheirFirstParts() {
    TxnRequest.Builder txn =
        TxnRequest.newBuilder()
            .addCompare(
                Compare.newBuilder()
                    .setTarget(Compare.CompareTarget.VALUE)
                    .setKey(bytes("c"))
                    .setValue(bytes(SECRET)));
    for (int n = 0; n < 5; n++) {
      txn.addSuccess(RequestOp.newBuilder().setRequestPut(put("k" + n)));
    }
    txn.addFailure(RequestOp.newBuilder().setRequestTxn(txn.clone()));
    assertEquals(
        "compare:<VALUE key:\"c\"> success:<put key:\"k0\" value_size:6; put key:\"k1\""
            + " value_size:6; put key:\"k2\" value_size:6> and 2 more failure:<txn>",
        RequestSummary.of(txn.build()));
  }

  /** Nothing that anybody sends makes a long line. */
  @Test
  void theLargestTransactionIsShort() {
    TxnRequest.Builder txn = TxnRequest.newBuilder();
    PutRequest put = put("\0".repeat(10_000));
    for (int n = 0; n < 128; n++) {
      txn.addSuccess(RequestOp.newBuilder().setRequestPut(put));
      txn.addFailure(RequestOp.newBuilder().setRequestPut(put));
      txn.addCompare(Compare.newBuilder().setKey(put.getKey()).setRangeEnd(put.getKey()));
    }
    assertTrue(RequestSummary.of(txn.build()).length() < 4_000);
  }

  @Test
  void secretsAreNotShownAtAll() {
    AuthUserAddRequest user =
        AuthUserAddRequest.newBuilder().setName("u").setPassword(SECRET).build();
    assertEquals("", RequestSummary.of(user));
  }

  @Test
  void entriesShowTheirLargestCommand() {
    Command grant = new Command.LeaseGrant(LeaseGrantRequest.newBuilder().setTTL(9).build());
    ByteString entry =
        EntryCodec.encode(
            new BatchId(1, 2, 3), List.of(grant.encoded(), new Command.Put(put("k")).encoded()));
    assertEquals("2 commands, the largest: put key:\"k\" value_size:6", EntrySummary.of(entry));
    ByteString lone = EntryCodec.encode(new BatchId(1, 2, 3), List.of(grant.encoded()));
    assertEquals("lease grant TTL:9", EntrySummary.of(lone));
  }
}
