package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmResponse;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.MemberListRequest;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.RangeStreamResponse;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.healthpb.HealthCheckRequest;
import io.tidemark.api.healthpb.HealthCheckResponse;
import io.tidemark.api.healthpb.HealthGrpc;
import java.nio.file.Path;
import java.util.Iterator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class KvOverSocketsTest {
  private static LoneMember lone;
  private static KVGrpc.KVBlockingStub kv;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    lone = LoneMember.start(data);
    kv = KVGrpc.newBlockingStub(lone.channel);
  }

  @AfterAll
  static void stop() {
    lone.close();
  }

  private static ByteString utf8(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static PutRequest put(String key, String value) {
    return PutRequest.newBuilder().setKey(utf8(key)).setValue(utf8(value)).build();
  }

  private static RangeRequest prefix(String prefix) {
    return RangeRequest.newBuilder()
        .setKey(utf8(prefix))
        .setRangeEnd(utf8(prefix + "\uffff"))
        .build();
  }

  private static void assertFails(EtcdError error, Executable call) {
    StatusRuntimeException e = assertThrows(StatusRuntimeException.class, call);
    assertEquals(error.code(), e.getStatus().getCode().value());
    assertEquals(error.message(), e.getStatus().getDescription());
  }

  @Test
  void headersNameClusterMemberTermAndRevision() {
    ResponseHeader written = kv.put(put("header/a", "1")).getHeader();
    RangeResponse read = kv.range(prefix("header/"));
    assertTrue(written.getClusterId() != 0 && written.getRaftTerm() > 0);
    assertEquals(lone.member.raft().status().memberId(), written.getMemberId());
    assertEquals(written, read.getHeader());
    assertEquals(written.getRevision(), read.getKvs(0).getModRevision());
    assertEquals(1, read.getCount());
    assertFalse(read.getMore());
  }

  @Test
  void linearizableAndSerializableReadsSeeAnAcknowledgedWrite() {
    kv.put(put("read/a", "1"));
    assertEquals(1, kv.range(prefix("read/")).getCount());
    assertEquals(1, kv.range(prefix("read/").toBuilder().setSerializable(true).build()).getCount());
  }

  @Test
  void txnWritesAndReadOnlyTxnReads() {
    TxnRequest create =
        TxnRequest.newBuilder()
            .addCompare(
                Compare.newBuilder()
                    .setKey(utf8("txn/a"))
                    .setTarget(Compare.CompareTarget.MOD)
                    .setModRevision(0))
            .addSuccess(RequestOp.newBuilder().setRequestPut(put("txn/a", "1")))
            .addFailure(RequestOp.newBuilder().setRequestRange(prefix("txn/")))
            .build();
    TxnResponse first = kv.txn(create);
    assertTrue(first.getSucceeded());
    ResponseHeader nested = first.getResponses(0).getResponsePut().getHeader();
    assertEquals(
        ResponseHeader.newBuilder().setRevision(first.getHeader().getRevision()).build(), nested);
    TxnResponse second = kv.txn(create);
    assertFalse(second.getSucceeded());
    assertEquals(1, second.getResponses(0).getResponseRange().getCount());
    TxnResponse read =
        kv.txn(
            TxnRequest.newBuilder()
                .addSuccess(RequestOp.newBuilder().setRequestRange(prefix("txn/")))
                .build());
    assertEquals(second.getHeader().getMemberId(), read.getHeader().getMemberId());
    assertEquals(1, read.getResponses(0).getResponseRange().getKvsCount());
  }

  @Test
  void deleteAndCompaction() {
    kv.put(put("compact/a", "1"));
    long second = kv.put(put("compact/a", "2")).getHeader().getRevision();
    assertEquals(
        1,
        kv.deleteRange(DeleteRangeRequest.newBuilder().setKey(utf8("compact/a")).build())
            .getDeleted());
    kv.compact(CompactionRequest.newBuilder().setRevision(second).setPhysical(true).build());
    assertFails(
        EtcdError.COMPACTED,
        () -> kv.range(prefix("compact/").toBuilder().setRevision(second - 1).build()));
    assertFails(
        EtcdError.COMPACTED,
        () -> kv.compact(CompactionRequest.newBuilder().setRevision(second).build()));
    assertFails(
        EtcdError.FUTURE_REV,
        () -> kv.range(prefix("compact/").toBuilder().setRevision(second + 1_000_000).build()));
    assertEquals(
        "2",
        kv.range(prefix("compact/").toBuilder().setRevision(second).build())
            .getKvs(0)
            .getValue()
            .toStringUtf8());
  }

  @Test
  void badRequestsAreRefusedInEtcdsWords() {
    assertFails(EtcdError.EMPTY_KEY, () -> kv.put(put("", "x")));
    assertFails(EtcdError.EMPTY_KEY, () -> kv.range(RangeRequest.getDefaultInstance()));
    PutRequest large =
        PutRequest.newBuilder()
            .setKey(utf8("large"))
            .setValue(ByteString.copyFrom(new byte[1_572_864]))
            .build();
    assertFails(EtcdError.REQUEST_TOO_LARGE, () -> kv.put(large));
    StatusRuntimeException e =
        assertThrows(
            StatusRuntimeException.class,
            () -> kv.put(large.toBuilder().setKey(ByteString.copyFrom(new byte[600_000])).build()));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, e.getStatus().getCode());
    assertTrue(
        String.valueOf(e.getStatus().getDescription())
            .startsWith("grpc: received message larger than max ("));
  }

  @Test
  void streamedRangeMergesToTheUnaryAnswer() throws Exception {
    for (int i = 0; i < 300; i++) {
      kv.put(put("stream/%03d".formatted(i), "v".repeat(100)));
    }
    for (RangeRequest request :
        new RangeRequest[] {
          prefix("stream/"),
          prefix("stream/").toBuilder().setLimit(57).build(),
          prefix("stream/").toBuilder().setCountOnly(true).build(),
          prefix("stream/none/")
        }) {
      RangeResponse.Builder merged = RangeResponse.newBuilder();
      Iterator<RangeStreamResponse> chunks = kv.rangeStream(request);
      while (chunks.hasNext()) {
        RangeResponse chunk = chunks.next().getRangeResponse();
        assertEquals(!chunks.hasNext(), chunk.hasHeader());
        merged.mergeFrom(chunk);
      }
      assertEquals(kv.range(request), merged.build());
    }
    StatusRuntimeException e =
        assertThrows(
            StatusRuntimeException.class,
            () ->
                kv.rangeStream(
                        prefix("stream/").toBuilder()
                            .setSortOrder(RangeRequest.SortOrder.DESCEND)
                            .build())
                    .next());
    assertEquals(Status.Code.UNIMPLEMENTED, e.getStatus().getCode());
    assertEquals("RangeStream does not support custom sort orders", e.getStatus().getDescription());
  }

  @Test
  void statusMembersHealthAndAlarms() {
    StatusResponse status =
        MaintenanceGrpc.newBlockingStub(lone.channel).status(StatusRequest.getDefaultInstance());
    assertEquals("3.7.1", status.getVersion());
    assertEquals("3.7.0", status.getStorageVersion());
    assertEquals(status.getHeader().getMemberId(), status.getLeader());
    assertTrue(status.getDbSize() > 0);
    assertTrue(status.hasDowngradeInfo());
    assertEquals(0, status.getErrorsCount());
    assertEquals(2L << 30, status.getDbSizeQuota());
    MemberListResponse members =
        ClusterGrpc.newBlockingStub(lone.channel)
            .memberList(MemberListRequest.newBuilder().setLinearizable(true).build());
    assertEquals(0, members.getHeader().getRevision());
    assertEquals(1, members.getMembersCount());
    assertEquals("lone", members.getMembers(0).getName());
    assertEquals("http://127.0.0.1:2379", members.getMembers(0).getClientURLs(0));
    AlarmResponse alarms =
        MaintenanceGrpc.newBlockingStub(lone.channel).alarm(AlarmRequest.getDefaultInstance());
    assertEquals(0, alarms.getAlarmsCount());
    HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(lone.channel);
    assertEquals(
        HealthCheckResponse.ServingStatus.SERVING,
        health.check(HealthCheckRequest.getDefaultInstance()).getStatus());
    StatusRuntimeException e =
        assertThrows(
            StatusRuntimeException.class,
            () -> health.check(HealthCheckRequest.newBuilder().setService("other").build()));
    assertEquals(Status.Code.NOT_FOUND, e.getStatus().getCode());
  }
}
