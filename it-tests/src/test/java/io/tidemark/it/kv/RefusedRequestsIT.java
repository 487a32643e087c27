package io.tidemark.it.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that break a rule: exact code and text on every member, and nothing is changed. */
@Tag("kv")
class RefusedRequestsIT {
  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static final String EMPTY_KEY = "INVALID_ARGUMENT etcdserver: key is not provided";
  private static final String DUPLICATE_KEY =
      "INVALID_ARGUMENT etcdserver: duplicate key given in txn request";
  private static final String TOO_MANY_OPS =
      "INVALID_ARGUMENT etcdserver: too many operations in txn request";
  private static final String COMPACTED =
      "OUT_OF_RANGE etcdserver: mvcc: required revision has been compacted";
  private static final String FUTURE =
      "OUT_OF_RANGE etcdserver: mvcc: required revision is a future revision";

  private static ProcessCluster cluster;
  private static long compacted;
  private long before;

  @BeforeAll
  static void start() {
    cluster = CLUSTERS.start(ClusterPlan.of(3));
    MemberClient client = cluster.client(0);
    client.put("kept", "1").answer();
    client.put("kept", "2").answer();
    compacted = client.put("kept", "3").answer().getHeader().getRevision();
    client.put("kept", "4").answer();
    client.compact(compacted).answer();
  }

  @BeforeEach
  void noteRevision() {
    before = revision();
  }

  @AfterEach
  void nothingChanged() {
    assertEquals(before, revision());
    for (MemberClient client : cluster.clients()) {
      Await.until("no lag", Duration.ofSeconds(10), () -> Replicas.localRevision(client) >= before);
      assertEquals(before, Replicas.localRevision(client));
    }
  }

  private static long revision() {
    return cluster.client(0).get("kept").answer().getHeader().getRevision();
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static PutRequest put(String key) {
    return PutRequest.newBuilder().setKey(bytes(key)).setValue(bytes("v")).build();
  }

  private static RequestOp putOp(String key) {
    return RequestOp.newBuilder().setRequestPut(put(key)).build();
  }

  private static void refused(int member, String outcome, Function<MemberClient, Attempt<?>> call) {
    assertEquals(outcome, call.apply(cluster.client(member)).outcome());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void emptyKey(int member) {
    refused(member, EMPTY_KEY, client -> client.put(put("")));
    refused(member, EMPTY_KEY, client -> client.range(RangeRequest.getDefaultInstance()));
    refused(member, EMPTY_KEY, client -> client.delete(DeleteRangeRequest.getDefaultInstance()));
    refused(
        member,
        EMPTY_KEY,
        client -> client.txn(TxnRequest.newBuilder().addSuccess(putOp("")).build()));
    refused(
        member,
        EMPTY_KEY,
        client ->
            client.txn(
                TxnRequest.newBuilder()
                    .addCompare(Compare.getDefaultInstance())
                    .addSuccess(putOp("a"))
                    .build()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void unknownLease(int member) {
    String notFound = "NOT_FOUND etcdserver: requested lease not found";
    PutRequest leased = put("a").toBuilder().setLease(0x7777).build();
    refused(member, notFound, client -> client.put(leased));
    refused(
        member,
        notFound,
        client ->
            client.txn(
                TxnRequest.newBuilder()
                    .addSuccess(putOp("b"))
                    .addSuccess(RequestOp.newBuilder().setRequestPut(leased))
                    .build()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void contradictoryPut(int member) {
    refused(
        member,
        "INVALID_ARGUMENT etcdserver: value is provided",
        client -> client.put(put("kept").toBuilder().setIgnoreValue(true).build()));
    refused(
        member,
        "INVALID_ARGUMENT etcdserver: lease is provided",
        client -> client.put(put("kept").toBuilder().setIgnoreLease(true).setLease(5).build()));
    refused(
        member,
        "INVALID_ARGUMENT etcdserver: key not found",
        client ->
            client.put(
                PutRequest.newBuilder().setKey(bytes("absent")).setIgnoreValue(true).build()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void overTheSizeLimit(int member) {
    ByteString value = ByteString.copyFrom(new byte[1572864]);
    refused(
        member,
        "INVALID_ARGUMENT etcdserver: request is too large",
        client -> client.put(put("big").toBuilder().setValue(value).build()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void tooManyOperations(int member) {
    TxnRequest.Builder txn = TxnRequest.newBuilder();
    TxnRequest.Builder compares = TxnRequest.newBuilder().addSuccess(putOp("a"));
    for (int i = 0; i < 200; i++) {
      txn.addSuccess(putOp("key" + i));
      compares.addCompare(Compare.newBuilder().setKey(bytes("key" + i)));
    }
    refused(member, TOO_MANY_OPS, client -> client.txn(txn.build()));
    refused(member, TOO_MANY_OPS, client -> client.txn(compares.build()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void duplicateKey(int member) {
    TxnRequest twice =
        TxnRequest.newBuilder().addFailure(putOp("a")).addFailure(putOp("a")).build();
    refused(member, DUPLICATE_KEY, client -> client.txn(twice));
    TxnRequest inDeleted =
        TxnRequest.newBuilder()
            .addSuccess(putOp("ab"))
            .addSuccess(
                RequestOp.newBuilder()
                    .setRequestDeleteRange(
                        DeleteRangeRequest.newBuilder().setKey(bytes("a")).setRangeEnd(bytes("b"))))
            .build();
    refused(member, DUPLICATE_KEY, client -> client.txn(inDeleted));
    TxnRequest nested =
        TxnRequest.newBuilder()
            .addSuccess(putOp("a"))
            .addSuccess(
                RequestOp.newBuilder()
                    .setRequestTxn(TxnRequest.newBuilder().addFailure(putOp("a"))))
            .build();
    refused(member, DUPLICATE_KEY, client -> client.txn(nested));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void futureRevision(int member) {
    RangeRequest range =
        RangeRequest.newBuilder().setKey(bytes("kept")).setRevision(before + 1).build();
    refused(member, FUTURE, client -> client.range(range));
    refused(
        member, FUTURE, client -> client.range(range.toBuilder().setRevision(1L << 40).build()));
    refused(member, FUTURE, client -> client.compact(before + 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void compactedRevision(int member) {
    RangeRequest range =
        RangeRequest.newBuilder().setKey(bytes("kept")).setRevision(compacted - 1).build();
    refused(member, COMPACTED, client -> client.range(range));
    refused(
        member, COMPACTED, client -> client.range(range.toBuilder().setSerializable(true).build()));
    refused(member, COMPACTED, client -> client.compact(compacted));
    RangeRequest allowed = range.toBuilder().setRevision(compacted).build();
    assertEquals(
        "3", cluster.client(member).range(allowed).answer().getKvs(0).getValue().toStringUtf8());
  }

  /** etcd 18667: the put before the refused read must not stay, on no member. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void refusedReadInsideAWritingTxn(int member) {
    assumeTrue(cluster.product() == Product.TIDEMARK, "etcd 3.4.23 has the fault");
    refused(member, FUTURE, client -> client.txn(putThenRead(before + 100)));
    refused(member, COMPACTED, client -> client.txn(putThenRead(compacted - 1)));
  }

  private static TxnRequest putThenRead(long revision) {
    return TxnRequest.newBuilder()
        .addSuccess(putOp("a"))
        .addSuccess(
            RequestOp.newBuilder()
                .setRequestRange(
                    RangeRequest.newBuilder().setKey(bytes("kept")).setRevision(revision)))
        .build();
  }
}
