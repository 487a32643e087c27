package io.tidemark.it.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantResponse;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveRequest;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveResponse;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.ResponseOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The comparison sees each difference that counts, and none that can't. */
class ComparingAnswersTest {
  private static final Ask RANGE = new Ask(Call.RANGE, RangeRequest.getDefaultInstance());
  private static final Ask TXN = new Ask(Call.TXN, TxnRequest.getDefaultInstance());
  private static final Ask TIME_TO_LIVE =
      new Ask(Call.LEASE_TIME_TO_LIVE, LeaseTimeToLiveRequest.getDefaultInstance());

  private static ResponseHeader header(long ids, long revision) {
    return ResponseHeader.newBuilder()
        .setClusterId(ids)
        .setMemberId(ids + 1)
        .setRaftTerm(ids + 2)
        .setRevision(revision)
        .build();
  }

  private static Reply ok(MessageLite... messages) {
    return Reply.of(Status.OK, List.of(messages).stream().map(MessageLite::toByteString).toList());
  }

  private static Reply error(EtcdError error) {
    return Reply.of(Status.fromCodeValue(error.code()).withDescription(error.message()), List.of());
  }

  private static boolean agree(Ask ask, Reply etcd, Reply ours) {
    return new Pair.Replies(etcd, ours).agree(ask);
  }

  private static RangeResponse range(long ids, long revision) {
    return RangeResponse.newBuilder()
        .setHeader(header(ids, revision))
        .addKvs(KeyValue.newBuilder().setKey(ByteString.copyFromUtf8("k")))
        .setCount(1)
        .build();
  }

  @Test
  void idsAndTermDontCountEverythingElseDoes() {
    Reply etcd = ok(range(-5, 7));
    assertTrue(agree(RANGE, etcd, ok(range(1L << 40, 7))));
    assertFalse(agree(RANGE, etcd, ok(range(-5, 8))));
    assertFalse(agree(RANGE, etcd, ok(range(-5, 7).toBuilder().setMore(true).build())));
    assertFalse(agree(RANGE, etcd, ok(range(-5, 7).toBuilder().clearHeader().build())));
    assertFalse(agree(RANGE, etcd, ok(range(-5, 7), range(-5, 7))));
    assertFalse(agree(RANGE, etcd, error(EtcdError.COMPACTED)));
    assertFalse(agree(RANGE, error(EtcdError.FUTURE_REV), error(EtcdError.COMPACTED)));
  }

  @Test
  void headersInsideATransactionCountToTheLastByte() {
    PutResponse plain = PutResponse.newBuilder().setHeader(header(0, 7)).build();
    PutResponse inside =
        PutResponse.newBuilder().setHeader(ResponseHeader.newBuilder().setRevision(7)).build();
    assertFalse(agree(TXN, ok(txn(inside)), ok(txn(plain))));
    assertFalse(agree(TXN, ok(txn(inside)), ok(txn(PutResponse.getDefaultInstance()))));
    assertTrue(agree(TXN, ok(txn(inside)), ok(txn(inside))));
  }

  private static TxnResponse txn(PutResponse put) {
    return TxnResponse.newBuilder()
        .setHeader(header(3, 7))
        .addResponses(ResponseOp.newBuilder().setResponsePut(put))
        .build();
  }

  @Test
  void bytesInAnotherOrderAreADifference() {
    ByteString head = RangeResponse.newBuilder().setHeader(header(1, 7)).build().toByteString();
    ByteString count = RangeResponse.newBuilder().setCount(3).build().toByteString();
    ByteString more = RangeResponse.newBuilder().setMore(true).build().toByteString();
    Reply right = Reply.of(Status.OK, List.of(head.concat(more).concat(count)));
    Reply wrong = Reply.of(Status.OK, List.of(head.concat(count).concat(more)));
    assertFalse(agree(RANGE, right, wrong));
  }

  @Test
  void whatIsLeftOfALeaseMayDifferByTheTimeThatPasses() {
    assertTrue(agree(TIME_TO_LIVE, left(100, "a", "b"), left(98, "b", "a")));
    assertFalse(agree(TIME_TO_LIVE, left(100, "a", "b"), left(90, "a", "b")));
    assertFalse(agree(TIME_TO_LIVE, left(100, "a", "b"), left(100, "a")));
  }

  private static Reply left(long ttl, String... keys) {
    LeaseTimeToLiveResponse.Builder response =
        LeaseTimeToLiveResponse.newBuilder().setHeader(header(1, 7)).setID(9).setTTL(ttl);
    for (String key : keys) {
      response.addKeys(ByteString.copyFromUtf8(key));
    }
    return ok(response.build());
  }

  @Test
  void anIdThatTheClusterChoosesIsItsOwn() {
    Ask chosen = new Ask(Call.LEASE_GRANT, LeaseGrantRequest.getDefaultInstance());
    Ask given = new Ask(Call.LEASE_GRANT, LeaseGrantRequest.newBuilder().setID(5).build());
    assertTrue(agree(chosen, granted(5), granted(6)));
    assertFalse(agree(given, granted(5), granted(6)));
  }

  private static Reply granted(long id) {
    return ok(LeaseGrantResponse.newBuilder().setHeader(header(1, 7)).setID(id).setTTL(2).build());
  }

  @Test
  void allowancesAreNarrow() {
    Reply unknown = error(EtcdError.INVALID_SORT_OPTION);
    assertEquals(
        Optional.of(Allowance.UNKNOWN_SORT_ORDER), Allowance.of(RANGE, ok(range(1, 7)), unknown));
    assertEquals(Optional.empty(), Allowance.of(TXN, ok(range(1, 7)), unknown));
    Reply lease = error(EtcdError.LEASE_NOT_FOUND);
    Reply future = error(EtcdError.FUTURE_REV);
    assertEquals(Optional.of(Allowance.SEVERAL_REFUSALS), Allowance.of(TXN, lease, future));
    assertEquals(Optional.empty(), Allowance.of(RANGE, lease, future));
    assertEquals(Optional.empty(), Allowance.of(TXN, lease, error(EtcdError.EMPTY_KEY)));
    assertEquals(Optional.empty(), Allowance.of(TXN, lease, ok(range(1, 7))));
  }

  @Test
  void fieldsAreCountedAtAnyDepth() {
    FieldCounts counts = new FieldCounts(List.of(TxnRequest.getDescriptor()));
    assertEquals(0, counts.byField().get("PutRequest.lease"), "known before it is used");
    TxnRequest.Builder outer = TxnRequest.newBuilder();
    outer
        .addSuccessBuilder()
        .getRequestTxnBuilder()
        .addFailureBuilder()
        .getRequestPutBuilder()
        .setLease(5);
    outer.addFailureBuilder().getRequestRangeBuilder().setSortOrder(RangeRequest.SortOrder.DESCEND);
    counts.add(outer.build());
    assertEquals(1, counts.byField().get("PutRequest.lease"));
    assertEquals(1, counts.byField().get("TxnRequest.success"));
    assertEquals(2, counts.byField().get("TxnRequest.failure"));
    assertEquals(1, counts.byField().get("RangeRequest.sort_order=DESCEND"));
    assertEquals(0, counts.byField().get("RangeRequest.sort_order=ASCEND"));
    assertTrue(counts.rarerThan(1).contains("RangeRequest.sort_order=ASCEND=0"));
    assertFalse(counts.rarerThan(1).contains("RangeRequest.sort_order=DESCEND=1"));
  }
}
