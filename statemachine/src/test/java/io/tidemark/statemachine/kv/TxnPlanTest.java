package io.tidemark.statemachine.kv;

import static io.tidemark.statemachine.testing.Requests.absent;
import static io.tidemark.statemachine.testing.Requests.bytes;
import static io.tidemark.statemachine.testing.Requests.delete;
import static io.tidemark.statemachine.testing.Requests.exists;
import static io.tidemark.statemachine.testing.Requests.op;
import static io.tidemark.statemachine.testing.Requests.put;
import static io.tidemark.statemachine.testing.Requests.range;
import static io.tidemark.statemachine.testing.Requests.rangeAt;
import static io.tidemark.statemachine.testing.Requests.txn;
import static io.tidemark.statemachine.testing.Requests.value;
import static io.tidemark.statemachine.testing.Requests.version;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.Compare.CompareResult;
import io.tidemark.api.etcdserverpb.Compare.CompareTarget;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TxnPlanTest {
  private final MapKeys keys =
      new MapKeys().with(pair("a", "1", 3, 5, 2, 7)).with(pair("b", "2", 6, 6, 1, 0));

  private static KeyValue pair(
      String key, String value, long create, long mod, long version, long lease) {
    return KeyValue.newBuilder()
        .setKey(bytes(key))
        .setValue(bytes(value))
        .setCreateRevision(create)
        .setModRevision(mod)
        .setVersion(version)
        .setLease(lease)
        .build();
  }

  private boolean holds(Compare compare) {
    return TxnPlan.of(txn(List.of(compare), List.of(), List.of()), keys).succeeded();
  }

  private static Compare.Builder compare(String key, CompareTarget target, CompareResult result) {
    return Compare.newBuilder().setKey(bytes(key)).setTarget(target).setResult(result);
  }

  private void only(CompareResult wanted, Compare.Builder compare) {
    boolean equal = wanted == CompareResult.EQUAL;
    assertEquals(equal, holds(compare.setResult(CompareResult.EQUAL).build()));
    assertEquals(!equal, holds(compare.setResult(CompareResult.NOT_EQUAL).build()));
    assertEquals(
        wanted == CompareResult.GREATER, holds(compare.setResult(CompareResult.GREATER).build()));
    assertEquals(
        wanted == CompareResult.LESS, holds(compare.setResult(CompareResult.LESS).build()));
  }

  @Test
  void comparesEachTargetBothWays() {
    CompareResult any = CompareResult.EQUAL;
    only(CompareResult.EQUAL, compare("a", CompareTarget.VERSION, any).setVersion(2));
    only(CompareResult.LESS, compare("a", CompareTarget.VERSION, any).setVersion(3));
    only(CompareResult.GREATER, compare("a", CompareTarget.VERSION, any).setVersion(1));
    only(CompareResult.EQUAL, compare("a", CompareTarget.CREATE, any).setCreateRevision(3));
    only(CompareResult.LESS, compare("a", CompareTarget.CREATE, any).setCreateRevision(4));
    only(CompareResult.EQUAL, compare("a", CompareTarget.MOD, any).setModRevision(5));
    only(CompareResult.GREATER, compare("a", CompareTarget.MOD, any).setModRevision(4));
    only(CompareResult.EQUAL, compare("a", CompareTarget.LEASE, any).setLease(7));
    only(CompareResult.GREATER, compare("a", CompareTarget.LEASE, any).setLease(-1));
    only(CompareResult.EQUAL, compare("a", CompareTarget.VALUE, any).setValue(bytes("1")));
    only(CompareResult.LESS, compare("a", CompareTarget.VALUE, any).setValue(bytes("é")));
    only(CompareResult.GREATER, compare("a", CompareTarget.VALUE, any).setValue(bytes("0ff")));
  }

  @Test
  void anAbsentOperandIsZeroOrEmpty() {
    only(CompareResult.GREATER, compare("a", CompareTarget.VERSION, CompareResult.EQUAL));
    only(CompareResult.GREATER, compare("a", CompareTarget.VALUE, CompareResult.EQUAL));
    only(CompareResult.EQUAL, compare("b", CompareTarget.LEASE, CompareResult.EQUAL));
    only(
        CompareResult.GREATER,
        compare("a", CompareTarget.MOD, CompareResult.EQUAL).setVersion(5)); // not its operand
  }

  @Test
  void aMissingKeyComparesLikeZeroes() {
    only(CompareResult.EQUAL, compare("x", CompareTarget.VERSION, CompareResult.EQUAL));
    only(CompareResult.EQUAL, compare("x", CompareTarget.CREATE, CompareResult.EQUAL));
    only(CompareResult.EQUAL, compare("x", CompareTarget.MOD, CompareResult.EQUAL));
    only(CompareResult.EQUAL, compare("x", CompareTarget.LEASE, CompareResult.EQUAL));
    only(
        CompareResult.LESS, compare("x", CompareTarget.VERSION, CompareResult.EQUAL).setVersion(1));
  }

  @Test
  void aValueOfAMissingKeyIsNeverAnything() {
    for (CompareResult result :
        List.of(
            CompareResult.EQUAL,
            CompareResult.NOT_EQUAL,
            CompareResult.GREATER,
            CompareResult.LESS)) {
      assertFalse(holds(value("x", result, "")));
      assertFalse(holds(value("x", result, "1")));
      assertFalse(holds(value("x", result, "1").toBuilder().setRangeEnd(bytes("z")).build()));
    }
  }

  @Test
  void everyKeyOfARangeMustHold() {
    Compare both = version("a", CompareResult.GREATER, 0);
    assertTrue(holds(both.toBuilder().setRangeEnd(bytes("c")).build()));
    assertTrue(holds(both.toBuilder().setRangeEnd(bytes("\0")).build()));
    assertFalse(holds(both.toBuilder().setVersion(1).setRangeEnd(bytes("c")).build()));
    assertTrue(holds(both.toBuilder().setVersion(1).setRangeEnd(bytes("b")).build()));
  }

  @Test
  void anEmptyRangeComparesLikeZeroes() {
    assertTrue(holds(absent("x").toBuilder().setRangeEnd(bytes("z")).build()));
    assertTrue(holds(absent("b").toBuilder().setRangeEnd(bytes("a")).build()));
    assertFalse(holds(exists("x").toBuilder().setRangeEnd(bytes("z")).build()));
  }

  @Test
  void relationsOfALaterVersionForbidNothing() {
    assertTrue(holds(exists("x").toBuilder().setResultValue(77).build()));
    assertTrue(
        holds(absent("a").toBuilder().setTargetValue(77).build()), "nothing to compare is equal");
    assertFalse(holds(exists("a").toBuilder().setTargetValue(77).build()));
  }

  @Test
  void takesTheBranchThatItsOwnComparesChoose() {
    RequestOp inner =
        op(txn(List.of(exists("a")), List.of(op(put("n", "then"))), List.of(op(delete("n")))));
    TxnPlan plan =
        TxnPlan.of(
            txn(List.of(absent("a"), exists("b")), List.of(op(range("x"))), List.of(inner)), keys);
    assertEquals(
        new TxnPlan(
            false,
            List.of(
                new TxnPlan.Step.Nested(
                    new TxnPlan(true, List.of(new TxnPlan.Step.Put(put("n", "then"))))))),
        plan);
  }

  @Test
  void noComparesHold() {
    assertTrue(TxnPlan.of(txn(), keys).succeeded());
  }

  private @Nullable EtcdError refusal(RequestOp... operations) {
    return PathCheck.refusal(TxnPlan.of(txn(operations), keys), keys, id -> id == 7);
  }

  @Test
  void rangesMustBeReadable() {
    assertNull(refusal(op(rangeAt("a", 0)), op(rangeAt("a", 4)), op(rangeAt("a", 9))));
    assertEquals(EtcdError.COMPACTED, refusal(op(rangeAt("a", 3))));
    assertEquals(EtcdError.COMPACTED, refusal(op(rangeAt("a", -1))));
    assertEquals(EtcdError.FUTURE_REV, refusal(op(rangeAt("a", 10))));
    assertEquals(EtcdError.FUTURE_REV, refusal(op(put("a", "")), op(rangeAt("a", 10))));
    assertEquals(EtcdError.FUTURE_REV, refusal(op(txn(op(rangeAt("a", 10))))));
  }

  @Test
  void leasesMustExist() {
    assertNull(refusal(op(put("a", "").toBuilder().setLease(7).build())));
    assertEquals(
        EtcdError.LEASE_NOT_FOUND, refusal(op(put("a", "").toBuilder().setLease(8).build())));
  }

  @Test
  void keptThingsMustExistBefore() {
    PutRequest keeps = put("x", "").toBuilder().setIgnoreValue(true).build();
    PutRequest keepsLease = put("x", "").toBuilder().setIgnoreLease(true).build();
    assertEquals(EtcdError.KEY_NOT_FOUND, refusal(op(keeps)));
    assertEquals(EtcdError.KEY_NOT_FOUND, refusal(op(keepsLease)));
    assertEquals(
        EtcdError.LEASE_NOT_FOUND,
        refusal(op(keeps.toBuilder().setLease(8).build())),
        "the lease comes first");
    PutRequest present = keeps.toBuilder().setKey(bytes("a")).build();
    assertNull(refusal(op(present)));
    assertEquals(
        EtcdError.KEY_NOT_FOUND,
        refusal(op(delete("a", "\0")), op(present)),
        "an open-ended delete has taken it by then");
  }

  @Test
  void theFirstRefusalInExecutionOrderWins() {
    PutRequest unknownLease = put("n", "").toBuilder().setLease(8).build();
    assertEquals(EtcdError.COMPACTED, refusal(op(rangeAt("a", 1)), op(unknownLease)));
    assertEquals(EtcdError.LEASE_NOT_FOUND, refusal(op(unknownLease), op(rangeAt("a", 1))));
    assertEquals(
        EtcdError.FUTURE_REV,
        refusal(op(txn(op(range("a")), op(rangeAt("a", 99)))), op(unknownLease)));
  }

  @Test
  void theOtherBranchIsNotChecked() {
    TxnPlan plan =
        TxnPlan.of(
            txn(List.of(absent("a")), List.of(op(rangeAt("a", 99))), List.of(op(range("a")))),
            keys);
    assertNull(PathCheck.refusal(plan, keys, id -> false));
  }
}
