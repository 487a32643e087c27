package io.tidemark.statemachine;

import static io.tidemark.statemachine.testing.Requests.OPEN;
import static io.tidemark.statemachine.testing.Requests.absent;
import static io.tidemark.statemachine.testing.Requests.bytes;
import static io.tidemark.statemachine.testing.Requests.delete;
import static io.tidemark.statemachine.testing.Requests.exists;
import static io.tidemark.statemachine.testing.Requests.op;
import static io.tidemark.statemachine.testing.Requests.put;
import static io.tidemark.statemachine.testing.Requests.range;
import static io.tidemark.statemachine.testing.Requests.rangeAt;
import static io.tidemark.statemachine.testing.Requests.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.ResponseOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.Change;
import io.tidemark.mvcc.RevisionBatch;
import io.tidemark.mvcc.StoreDigest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TxnTest {
  private final Machine machine = new Machine();

  @AfterEach
  void close() {
    machine.close();
  }

  private static ResponseHeader header(long revision) {
    return ResponseHeader.newBuilder().setRevision(revision).build();
  }

  private static long revision(ResponseOp op) {
    return switch (op.getResponseCase()) {
      case RESPONSE_RANGE -> op.getResponseRange().getHeader().getRevision();
      case RESPONSE_PUT -> op.getResponsePut().getHeader().getRevision();
      case RESPONSE_DELETE_RANGE -> op.getResponseDeleteRange().getHeader().getRevision();
      case RESPONSE_TXN, RESPONSE_NOT_SET -> throw new AssertionError("no revision in " + op);
    };
  }

  private static List<Long> revisions(TxnResponse response) {
    return response.getResponsesList().stream().map(TxnTest::revision).toList();
  }

  private static List<String> values(ResponseOp op) {
    return op.getResponseRange().getKvsList().stream()
        .map(pair -> pair.getValue().toStringUtf8())
        .toList();
  }

  private EtcdError refused(TxnRequest request) {
    return machine.refused(new Command.Txn(request));
  }

  @Test
  void createIfAbsent() {
    TxnRequest create =
        txn(List.of(absent("k")), List.of(op(put("k", "1"))), List.of(op(range("k"))));
    TxnResponse created = machine.txn(create);
    assertTrue(created.getSucceeded());
    assertEquals(header(2), created.getHeader());
    assertEquals(List.of(2L), revisions(created));
    TxnResponse lost = machine.txn(create);
    assertFalse(lost.getSucceeded());
    assertEquals(header(2), lost.getHeader());
    assertEquals(List.of("1"), values(lost.getResponses(0)));
    assertEquals(2, machine.store().revision());
  }

  @Test
  void anEmptyTransactionChangesNothing() {
    assertEquals(
        TxnResponse.newBuilder().setHeader(header(1)).setSucceeded(true).build(),
        machine.txn(txn()));
    assertEquals(List.of(), machine.published());
  }

  @Test
  void operationsTellTheRevisionTheyLeaveBehind() {
    TxnResponse response =
        machine.txn(
            txn(
                op(range("k")),
                op(delete("x")),
                op(put("k", "1")),
                op(delete("y")),
                op(range("k"))));
    assertEquals(List.of(1L, 1L, 2L, 2L, 2L), revisions(response));
    assertEquals(header(2), response.getHeader());
  }

  @Test
  void readsSeeEarlierWritesAndPastRevisionsDoNot() {
    machine.put("a", "old");
    TxnResponse response =
        machine.txn(
            txn(
                op(range("a", OPEN)),
                op(put("a", "new")),
                op(put("b", "new")),
                op(range("a", OPEN)),
                op(rangeAt("a", 2)),
                op(delete("c", OPEN)),
                op(range("a").toBuilder().setRevision(-1).build())));
    assertEquals(List.of("old"), values(response.getResponses(0)));
    assertEquals(List.of("new", "new"), values(response.getResponses(3)));
    assertEquals(List.of("old"), values(response.getResponses(4)));
    assertEquals(List.of("new"), values(response.getResponses(6)));
    assertEquals(List.of(2L, 3L, 3L, 3L, 3L, 3L, 3L), revisions(response));
    assertEquals(header(3), response.getHeader());
  }

  @Test
  void nestedHeadersArePresentAndEmpty() {
    TxnResponse response = machine.txn(txn(op(txn(op(put("k", "1")), op(txn())))));
    TxnResponse nested = response.getResponses(0).getResponseTxn();
    assertTrue(nested.hasHeader());
    assertEquals(ResponseHeader.getDefaultInstance(), nested.getHeader());
    assertEquals(header(2), nested.getResponses(0).getResponsePut().getHeader());
    TxnResponse innermost = nested.getResponses(1).getResponseTxn();
    assertTrue(innermost.hasHeader());
    assertTrue(innermost.getSucceeded());
  }

  @Test
  void everyCompareIsJudgedBeforeTheFirstWrite() {
    TxnResponse response =
        machine.txn(
            txn(
                op(put("k", "1")),
                op(
                    txn(
                        List.of(exists("k")),
                        List.of(op(put("then", ""))),
                        List.of(op(put("else", "")))))));
    assertFalse(response.getResponses(1).getResponseTxn().getSucceeded());
    assertEquals(
        List.of("k", "else"),
        machine.published().get(0).changes().stream()
            .map(change -> change.current().getKey().toStringUtf8())
            .toList());
  }

  @Test
  void aRefusalInTheChosenPathUndoesEverything() {
    machine.put("k", "1");
    machine.put("k", "2");
    machine.compact(3);
    PutRequest leased = put("n", "").toBuilder().setLease(4).build();
    PutRequest keeps = put("n", "").toBuilder().setIgnoreValue(true).build();
    assertEquals(EtcdError.LEASE_NOT_FOUND, refused(txn(op(put("w", "")), op(leased))));
    assertEquals(EtcdError.KEY_NOT_FOUND, refused(txn(op(put("w", "")), op(keeps))));
    assertEquals(EtcdError.COMPACTED, refused(txn(op(put("w", "")), op(rangeAt("k", 2)))));
    assertEquals(EtcdError.COMPACTED, refused(txn(op(put("w", "")), op(rangeAt("k", -1)))));
    assertEquals(EtcdError.FUTURE_REV, refused(txn(op(put("w", "")), op(rangeAt("k", 4)))));
    assertEquals(EtcdError.COMPACTED, refused(txn(op(put("w", "")), op(txn(op(rangeAt("k", 2)))))));
    assertEquals(EtcdError.COMPACTED, refused(txn(op(rangeAt("k", 2)))), "also if it only reads");
    TxnResponse other =
        machine.txn(txn(List.of(exists("k")), List.of(op(put("w", ""))), List.of(op(leased))));
    assertEquals(header(4), other.getHeader());
  }

  @Test
  void structureIsCheckedAgainWhenApplied() {
    assertEquals(EtcdError.DUPLICATE_KEY, refused(txn(op(put("k", "1")), op(put("k", "2")))));
    assertEquals(
        EtcdError.DUPLICATE_KEY, refused(txn(op(delete("a", "z")), op(txn(op(put("k", "")))))));
    assertEquals(EtcdError.EMPTY_KEY, refused(txn(op(range("")))));
    assertEquals(EtcdError.KEY_NOT_FOUND, refused(txn(RequestOp.getDefaultInstance())));
    List<RequestOp> many = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      many.add(op(put("k" + i, "")));
    }
    assertEquals(
        header(2),
        machine.txn(txn(List.of(), many, List.of())).getHeader(),
        "the limit is the edge's, and may differ between members");
  }

  @Test
  void anOpenEndedDeleteMayMeetAPut() {
    machine.put("k", "1");
    TxnResponse response = machine.txn(txn(op(put("k", "2")), op(delete("a", OPEN))));
    assertEquals(1, response.getResponses(1).getResponseDeleteRange().getDeleted());
    KeyValue previous = pair("k", "1", 2, 2, 1);
    assertEquals(
        List.of(
            new Change(false, pair("k", "2", 2, 3, 2), previous),
            new Change(true, tombstone("k", 3), previous)),
        machine.published().get(1).changes());

    TxnResponse back = machine.txn(txn(op(delete("a", OPEN)), op(put("k", "3"))));
    assertEquals(0, back.getResponses(0).getResponseDeleteRange().getDeleted());
    TxnResponse again = machine.txn(txn(op(delete("a", OPEN)), op(put("k", "4"))));
    assertEquals(1, again.getResponses(0).getResponseDeleteRange().getDeleted());
    assertEquals(
        List.of(
            new Change(true, tombstone("k", 5), pair("k", "3", 4, 4, 1)),
            new Change(false, pair("k", "4", 5, 5, 1), null)),
        machine.published().get(3).changes());
  }

  @Test
  void aPutThatKeepsWhatTheSameTransactionDeletesIsRefused() {
    machine.put("k", "1");
    PutRequest keeps = put("k", "").toBuilder().setIgnoreValue(true).build();
    assertEquals(EtcdError.KEY_NOT_FOUND, refused(txn(op(delete("a", OPEN)), op(keeps))));
    assertEquals(header(3), machine.txn(txn(op(keeps), op(delete("a", OPEN)))).getHeader());
  }

  @Test
  void aSiblingMayDeleteWhatAnotherHasPut() {
    TxnResponse response =
        machine.txn(txn(op(txn(op(put("k", "1")))), op(txn(op(delete("k")))), op(range("k"))));
    assertEquals(
        1,
        response
            .getResponses(1)
            .getResponseTxn()
            .getResponses(0)
            .getResponseDeleteRange()
            .getDeleted());
    assertEquals(0, response.getResponses(2).getResponseRange().getCount());
    assertEquals(
        List.of(
            new Change(false, pair("k", "1", 2, 2, 1), null),
            new Change(true, tombstone("k", 2), null)),
        machine.published().get(0).changes());
  }

  @Test
  void whatAnEdgeCanParseCanBeApplied() {
    TxnRequest deepest = txn(op(put("k", "1")));
    for (int level = 0; level < 60; level++) { // two messages each; edges stop at 100
      deepest = txn(op(deepest));
    }
    AppliedEntry applied = machine.apply(new Command.Txn(deepest));
    assertEquals(1, applied.batches().size());
    assertEquals(2, machine.store().revision());
  }

  /** etcd issue 17247: an event was delivered twice. */
  @Test
  void bug17247EachRevisionOfAKeyIsPublishedOnce() {
    machine.put("k", "0");
    machine.txn(txn(op(put("k", "1")), op(range("k")), op(txn(op(put("l", "1")), op(range("l"))))));
    refused(txn(op(put("k", "2")), op(rangeAt("k", 99))));
    machine.txn(txn(List.of(absent("k")), List.of(op(put("k", "3"))), List.of(op(range("k")))));
    machine.txn(
        txn(List.of(exists("k")), List.of(op(txn(op(put("k", "4"))))), List.of(op(put("k", "5")))));
    machine.apply(
        new Command.Txn(txn(op(put("k", "6")), op(rangeAt("k", 1)))),
        new Command.Txn(txn(op(put("k", "7")), op(rangeAt("k", 99)))),
        new Command.Put(put("k", "8")));
    List<String> published = new ArrayList<>();
    for (RevisionBatch batch : machine.published()) {
      for (Change change : batch.changes()) {
        published.add(
            change.current().getKey().toStringUtf8()
                + "="
                + change.current().getValue().toStringUtf8()
                + "@"
                + batch.revision());
        assertEquals(batch.revision(), change.current().getModRevision());
      }
    }
    assertEquals(List.of("k=0@2", "k=1@3", "l=1@3", "k=4@4", "k=6@5", "k=8@6"), published);
  }

  /** etcd issue 18667: members disagreed on a range at a compacted revision inside a write. */
  @Test
  void bug18667AnUnreadableRangeInAWriteFailsAlikeEverywhere() {
    try (Machine other = new Machine()) {
      for (Machine each : List.of(machine, other)) {
        for (int i = 0; i < 5; i++) {
          each.put("k", "v" + i);
        }
        each.compact(4);
      }
      machine.store().physicalCompaction(4).join(); // one has removed the history, one perhaps not
      machine.reopen();
      for (TxnRequest request :
          List.of(
              txn(op(put("k", "x")), op(rangeAt("k", 3))),
              txn(op(put("k", "x")), op(rangeAt("k", 7))),
              txn(op(delete("k")), op(txn(op(rangeAt("k", 2))))))) {
        AppliedEntry mine = machine.apply(new Command.Txn(request));
        AppliedEntry theirs = other.apply(new Command.Txn(request));
        assertEquals(theirs.outcomes(), mine.outcomes());
        assertEquals(List.of(), mine.batches());
        Machine.error(mine.outcomes().get(0));
      }
      assertEquals(digest(other), digest(machine));
    }
  }

  private static StoreDigest digest(Machine machine) {
    try (var view = machine.store().view()) {
      return view.digest(view.revision());
    }
  }

  private static KeyValue pair(String key, String value, long create, long mod, long version) {
    return KeyValue.newBuilder()
        .setKey(bytes(key))
        .setValue(bytes(value))
        .setCreateRevision(create)
        .setModRevision(mod)
        .setVersion(version)
        .build();
  }

  private static KeyValue tombstone(String key, long revision) {
    return KeyValue.newBuilder().setKey(bytes(key)).setModRevision(revision).build();
  }
}
