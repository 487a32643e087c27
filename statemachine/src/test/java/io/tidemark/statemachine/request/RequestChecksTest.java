package io.tidemark.statemachine.request;

import static io.tidemark.statemachine.testing.Requests.absent;
import static io.tidemark.statemachine.testing.Requests.delete;
import static io.tidemark.statemachine.testing.Requests.op;
import static io.tidemark.statemachine.testing.Requests.put;
import static io.tidemark.statemachine.testing.Requests.range;
import static io.tidemark.statemachine.testing.Requests.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RequestChecksTest {
  private static final int MAX_OPS = 4;
  private final RequestChecks checks = new RequestChecks(new RequestLimits(MAX_OPS, 100));
  private final RequestChecks roomy = new RequestChecks(new RequestLimits(128, 1 << 20));

  private static TxnRequest gets(int count) {
    return txn(Collections.nCopies(count, op(range("k"))).toArray(RequestOp[]::new));
  }

  @Test
  void everyRequestNeedsKeys() {
    assertEquals(EtcdError.EMPTY_KEY, checks.range(range("")));
    assertEquals(EtcdError.EMPTY_KEY, checks.put(put("", "v")));
    assertEquals(EtcdError.EMPTY_KEY, checks.deleteRange(delete("")));
    assertEquals(EtcdError.EMPTY_KEY, checks.deleteRange(delete("", "z")));
    assertEquals(EtcdError.EMPTY_KEY, checks.txn(txn(List.of(absent("")), List.of(), List.of())));
    for (RequestOp nested :
        List.of(op(range("")), op(put("", "")), op(delete("")), op(txn(op(range("")))))) {
      assertEquals(EtcdError.EMPTY_KEY, checks.txn(txn(nested)));
      assertEquals(EtcdError.EMPTY_KEY, checks.txn(txn(List.of(), List.of(), List.of(nested))));
    }
  }

  @Test
  void keptValuesAndLeasesMustNotBeGiven() {
    PutRequest value = put("k", "v").toBuilder().setIgnoreValue(true).build();
    PutRequest lease = put("k", "").toBuilder().setIgnoreLease(true).setLease(1).build();
    assertEquals(EtcdError.VALUE_PROVIDED, checks.put(value));
    assertEquals(EtcdError.LEASE_PROVIDED, checks.put(lease));
    assertEquals(
        EtcdError.VALUE_PROVIDED,
        checks.put(value.toBuilder().setIgnoreLease(true).setLease(1).build()));
    assertEquals(
        EtcdError.EMPTY_KEY, checks.put(value.toBuilder().clearKey().build()), "key comes first");
    assertNull(checks.put(put("k", "").toBuilder().setIgnoreValue(true).setLease(9).build()));
    assertNull(checks.put(put("k", "v").toBuilder().setIgnoreLease(true).build()));
    assertEquals(EtcdError.VALUE_PROVIDED, checks.txn(txn(op(value))));
  }

  @Test
  void sortOptionsMustBeKnown() {
    RangeRequest order = range("k").toBuilder().setSortOrderValue(3).build();
    RangeRequest target = range("k").toBuilder().setSortTargetValue(-1).build();
    assertEquals(EtcdError.INVALID_SORT_OPTION, checks.range(order));
    assertEquals(EtcdError.INVALID_SORT_OPTION, checks.range(target));
    assertEquals(EtcdError.INVALID_SORT_OPTION, checks.txn(txn(op(target))));
    assertEquals(
        EtcdError.EMPTY_KEY, checks.range(order.toBuilder().clearKey().build()), "key first");
  }

  @Test
  void eachListHasAtMostTheLimit() {
    assertNull(checks.txn(gets(MAX_OPS)));
    assertEquals(EtcdError.TOO_MANY_OPS, checks.txn(gets(MAX_OPS + 1)));
    assertEquals(
        EtcdError.TOO_MANY_OPS,
        checks.txn(txn(List.of(), List.of(), gets(MAX_OPS + 1).getSuccessList())));
    assertEquals(
        EtcdError.TOO_MANY_OPS,
        checks.txn(txn(Collections.nCopies(MAX_OPS + 1, absent("k")), List.of(), List.of())));
    assertEquals(
        EtcdError.TOO_MANY_OPS,
        checks.txn(txn(Collections.nCopies(MAX_OPS + 1, absent("")), List.of(), List.of())),
        "before the keys are looked at");
  }

  @Test
  void nestedTransactionsHaveWhatTheirParentLeaves() {
    assertNull(checks.txn(txn(op(gets(MAX_OPS - 1)))));
    assertEquals(EtcdError.TOO_MANY_OPS, checks.txn(txn(op(gets(MAX_OPS)))));
    assertNull(
        checks.txn(txn(op(gets(MAX_OPS - 2)), op(gets(MAX_OPS - 2)))),
        "siblings do not share the budget");
    assertEquals(EtcdError.TOO_MANY_OPS, checks.txn(txn(op(range("k")), op(gets(MAX_OPS - 1)))));
    assertEquals(
        EtcdError.TOO_MANY_OPS,
        checks.txn(txn(Collections.nCopies(3, absent("k")), List.of(op(gets(2))), List.of())),
        "compares take from the budget too");
    assertNull(checks.txn(txn(op(txn(op(txn(op(txn()))))))));
    assertEquals(
        EtcdError.TOO_MANY_OPS,
        checks.txn(txn(op(txn(op(txn(op(txn(op(txn(op(range("k")))))))))))));
  }

  @Test
  void anUnsetOperationIsAKeyNotFound() {
    RequestOp unset = RequestOp.getDefaultInstance();
    assertEquals(EtcdError.KEY_NOT_FOUND, checks.txn(txn(unset)));
    assertEquals(EtcdError.KEY_NOT_FOUND, checks.txn(txn(op(txn(unset)))));
    assertEquals(EtcdError.KEY_NOT_FOUND, checks.txn(txn(unset, op(range("")))), "order of ops");
    assertEquals(EtcdError.EMPTY_KEY, checks.txn(txn(op(range("")), unset)), "order of ops");
  }

  @Test
  void successIsLookedAtBeforeFailure() {
    assertEquals(
        EtcdError.KEY_NOT_FOUND,
        checks.txn(
            txn(List.of(), List.of(RequestOp.getDefaultInstance()), List.of(op(range(""))))));
  }

  @Test
  void duplicateKeysComeAfterEverythingElse() {
    TxnRequest both = txn(op(put("k", "1")), op(put("k", "2")), op(range("")));
    assertEquals(EtcdError.EMPTY_KEY, checks.txn(both));
    assertEquals(EtcdError.DUPLICATE_KEY, checks.txn(txn(op(put("k", "1")), op(put("k", "2")))));
  }

  @Test
  void sizeIsJudgedLastAndOnlyForWhatIsProposed() {
    PutRequest fits = put("k", "v".repeat(95));
    assertEquals(100, fits.getSerializedSize());
    assertNull(checks.put(fits));
    PutRequest large = put("k", "v".repeat(96));
    assertEquals(EtcdError.REQUEST_TOO_LARGE, checks.put(large));
    assertEquals(
        EtcdError.VALUE_PROVIDED, checks.put(large.toBuilder().setIgnoreValue(true).build()));
    String longKey = "k".repeat(101);
    assertEquals(EtcdError.REQUEST_TOO_LARGE, checks.deleteRange(delete(longKey)));
    assertEquals(EtcdError.REQUEST_TOO_LARGE, checks.txn(txn(op(put(longKey, "")))));
    assertNull(checks.range(range(longKey)));
    assertNull(checks.txn(txn(op(range(longKey)))), "a read never reaches the log");
    assertNull(checks.compact(CompactionRequest.newBuilder().setRevision(-5).build()));
  }

  @Test
  void tellsReadOnlyTransactions() {
    assertTrue(checks.isReadOnly(txn()));
    assertTrue(checks.isReadOnly(txn(List.of(absent("k")), List.of(), List.of(op(range("k"))))));
    assertFalse(checks.isReadOnly(txn(op(range("k")), op(put("k", "v")))));
    assertFalse(checks.isReadOnly(txn(List.of(), List.of(), List.of(op(delete("k"))))));
    assertFalse(checks.isReadOnly(txn(op(txn(op(range("k")))))), "nested, though it only reads");
  }

  @Test
  void tellsSerializableReads() {
    RangeRequest local = range("k").toBuilder().setSerializable(true).build();
    assertTrue(checks.isSerializableRead(txn()));
    assertTrue(checks.isSerializableRead(txn(op(local))));
    assertFalse(checks.isSerializableRead(txn(op(local), op(range("k")))));
    assertFalse(
        checks.isSerializableRead(txn(List.of(), List.of(op(local)), List.of(op(range("k"))))));
    assertFalse(checks.isSerializableRead(txn(op(put("k", "v")))));
  }

  @Test
  void onlyPlainRangesAreStreamed() {
    String order = "RangeStream does not support custom sort orders";
    String filters = "RangeStream does not support revision filters";
    assertNull(roomy.streamRefusal(range("k")));
    assertNull(roomy.streamRefusal(range("k").toBuilder().setSortOrderValue(1).build()));
    assertEquals(order, roomy.streamRefusal(range("k").toBuilder().setSortOrderValue(2).build()));
    assertEquals(order, roomy.streamRefusal(range("k").toBuilder().setSortTargetValue(3).build()));
    assertEquals(filters, roomy.streamRefusal(range("k").toBuilder().setMinModRevision(1).build()));
    assertEquals(filters, roomy.streamRefusal(range("k").toBuilder().setMaxModRevision(1).build()));
    assertEquals(
        filters, roomy.streamRefusal(range("k").toBuilder().setMinCreateRevision(1).build()));
    assertEquals(
        filters, roomy.streamRefusal(range("k").toBuilder().setMaxCreateRevision(1).build()));
  }
}
