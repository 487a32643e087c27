package io.tidemark.ctl.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OperationsTest {
  private static final byte[] ANSWER = new byte[0];

  private final KeySpace keys = new KeySpace("p/", 1000, 16, 42);

  @Test
  void keysHaveOneLengthAndThePrefix() {
    assertEquals(ByteString.copyFromUtf8("p/000000000"), keys.key(0));
    assertEquals(ByteString.copyFromUtf8("p/000000907"), keys.key(907));
    assertEquals(ByteString.copyFromUtf8("p0"), keys.prefixEnd());
  }

  @Test
  void theSameSeedMakesTheSamePuts() {
    Operation one = new Operations.Put(keys, keys.random(5));
    Operation other =
        new Operations.Put(
            new KeySpace("p/", 1000, 16, 42), new KeySpace("p/", 1, 0, 42).random(5));
    for (int i = 0; i < 100; i++) {
      Operation.Step step = one.first();
      assertSame(RawMethods.PUT, step.method());
      PutRequest put = (PutRequest) step.request();
      assertEquals(16, put.getValue().size());
      assertEquals(put, other.first().request());
      assertNull(one.after(ANSWER));
    }
  }

  @Test
  void aReadIsOfOneKeyOrOfUpToTheLimit() {
    RangeRequest single =
        (RangeRequest)
            new Operations.Range(keys, keys.random(0), new Load.Range(1, true, 0))
                .first()
                .request();
    assertEquals(
        RangeRequest.newBuilder().setKey(single.getKey()).setSerializable(true).build(), single);
    RangeRequest many =
        (RangeRequest)
            new Operations.Range(keys, keys.random(0), new Load.Range(1, false, 50))
                .first()
                .request();
    assertEquals(
        RangeRequest.newBuilder()
            .setKey(single.getKey())
            .setRangeEnd(ByteString.copyFromUtf8("p0"))
            .setLimit(50)
            .build(),
        many);
  }

  @Test
  void aTransactionIsGuardedByWhatWasRead() {
    Tally tally = new Tally();
    Operation operation = new Operations.Txn(keys, keys.random(1), false, tally);
    Operation.Step read = operation.first();
    assertSame(RawMethods.RANGE_READ, read.method());
    ByteString key = ((RangeRequest) read.request()).getKey();
    RangeResponse found =
        RangeResponse.newBuilder()
            .addKvs(KeyValue.newBuilder().setKey(key).setModRevision(71))
            .build();
    Operation.Step write = operation.after(found.toByteArray());
    assertNotNull(write);
    assertSame(RawMethods.TXN, write.method());
    TxnRequest txn = (TxnRequest) write.request();
    assertEquals(
        Compare.newBuilder()
            .setKey(key)
            .setTarget(Compare.CompareTarget.MOD)
            .setModRevision(71)
            .build(),
        txn.getCompare(0));
    assertEquals(key, txn.getSuccess(0).getRequestPut().getKey());
    assertNull(operation.after(TxnResponse.newBuilder().setSucceeded(true).build().toByteArray()));
    assertEquals(Map.of(), tally.notes());

    operation.first();
    operation.after(found.toByteArray());
    assertNull(operation.after(TxnResponse.getDefaultInstance().toByteArray()));
    assertEquals(Map.of("conflicts", 1L), tally.notes());
  }
}
