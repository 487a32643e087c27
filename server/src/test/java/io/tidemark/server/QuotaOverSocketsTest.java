package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmRequest.AlarmAction;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.DefragmentRequest;
import io.tidemark.api.etcdserverpb.DefragmentResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.DowngradeRequest;
import io.tidemark.api.etcdserverpb.DowngradeRequest.DowngradeAction;
import io.tidemark.api.etcdserverpb.DowngradeResponse;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.MoveLeaderRequest;
import io.tidemark.api.etcdserverpb.MoveLeaderResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A store that is full, and the other calls of an operator, over a socket. */
final class QuotaOverSocketsTest {
  private static final String NO_SPACE = "etcdserver: mvcc: database space exceeded";

  @TempDir Path data;
  private LoneMember lone;
  private KVGrpc.KVBlockingStub kv;
  private MaintenanceGrpc.MaintenanceBlockingStub maintenance;

  @BeforeEach
  void start() throws Exception {
    lone = LoneMember.start(data, "--quota-backend-bytes=200000");
    kv = KVGrpc.newBlockingStub(lone.channel);
    maintenance = MaintenanceGrpc.newBlockingStub(lone.channel);
  }

  @AfterEach
  void stop() {
    lone.close();
  }

  @Test
  void aFullStoreTakesNothingUntilItIsMendedAndDisarmed() {
    for (int n = 0; n < 4; n++) {
      put("k", 30_000);
    }
    StatusResponse before = status();
    assertEquals(List.of(), before.getErrorsList());
    refused(Status.Code.RESOURCE_EXHAUSTED, NO_SPACE, () -> put("k", 150_000));
    AlarmMember alarm =
        AlarmMember.newBuilder()
            .setMemberID(before.getHeader().getMemberId())
            .setAlarm(AlarmType.NOSPACE)
            .build();
    assertEquals(List.of(alarm), alarms(AlarmAction.GET, 0, AlarmType.NONE));
    assertEquals(
        List.of(
            "memberID:"
                + Long.toUnsignedString(before.getHeader().getMemberId())
                + " alarm:NOSPACE"),
        status().getErrorsList());
    refused(Status.Code.RESOURCE_EXHAUSTED, NO_SPACE, () -> put("k", 1));
    refused(Status.Code.RESOURCE_EXHAUSTED, NO_SPACE, () -> put("", 150_000));
    refused(
        Status.Code.RESOURCE_EXHAUSTED,
        NO_SPACE,
        () -> kv.txn(TxnRequest.newBuilder().addFailure(op("k")).build()));
    refused(
        Status.Code.RESOURCE_EXHAUSTED,
        NO_SPACE,
        () ->
            LeaseGrpc.newBlockingStub(lone.channel)
                .leaseGrant(LeaseGrantRequest.newBuilder().setTTL(60).build()));
    long revision = status().getHeader().getRevision();
    assertEquals(5, revision, "nothing was changed");
    RangeRequest range = RangeRequest.newBuilder().setKey(bytes("k")).build();
    assertEquals(1, kv.range(range).getCount());
    RequestOp read = RequestOp.newBuilder().setRequestRange(range).build();
    assertTrue(kv.txn(TxnRequest.newBuilder().addSuccess(read).build()).getSucceeded());
    assertEquals(
        1, kv.deleteRange(DeleteRangeRequest.newBuilder().setKey(bytes("k")).build()).getDeleted());
    kv.compact(CompactionRequest.newBuilder().setRevision(revision + 1).build());
    assertEquals(
        DefragmentResponse.getDefaultInstance(),
        maintenance.defragment(DefragmentRequest.getDefaultInstance()));
    assertTrue(status().getDbSize() < 50_000, () -> "size " + status().getDbSize());
    refused(Status.Code.RESOURCE_EXHAUSTED, NO_SPACE, () -> put("k", 1));
    assertEquals(
        List.of(alarm), alarms(AlarmAction.DEACTIVATE, alarm.getMemberID(), AlarmType.NOSPACE));
    assertEquals(List.of(), alarms(AlarmAction.GET, 0, AlarmType.NONE));
    assertEquals(revision + 2, put("k", 1).getHeader().getRevision());
  }

  @Test
  void aCorruptClusterIsShownAndKeepsWhatItHas() {
    put("k", 1);
    assertEquals(List.of(), alarms(AlarmAction.ACTIVATE, 5, AlarmType.NONE));
    assertEquals(1, alarms(AlarmAction.ACTIVATE, 5, AlarmType.CORRUPT).size());
    assertEquals(List.of("memberID:5 alarm:CORRUPT"), status().getErrorsList());
    refused(Status.Code.DATA_LOSS, "etcdserver: corrupt cluster", () -> put("k", 2));
    refused(
        Status.Code.DATA_LOSS,
        "etcdserver: corrupt cluster",
        () ->
            LeaseGrpc.newBlockingStub(lone.channel)
                .leaseGrant(LeaseGrantRequest.newBuilder().setTTL(Long.MAX_VALUE).build()));
    assertEquals(1, kv.range(RangeRequest.newBuilder().setKey(bytes("k")).build()).getCount());
  }

  @Test
  void leadershipIsMovedByItsHolderToAVoter() {
    long self = status().getHeader().getMemberId();
    assertEquals(
        MoveLeaderResponse.getDefaultInstance(),
        maintenance.moveLeader(MoveLeaderRequest.newBuilder().setTargetID(self).build()));
    refused(
        Status.Code.FAILED_PRECONDITION,
        "etcdserver: bad leader transferee",
        () -> maintenance.moveLeader(MoveLeaderRequest.newBuilder().setTargetID(7).build()));
  }

  @Test
  void aDowngradeIsCheckedKeptAndForgotten() {
    refused(
        Status.Code.INVALID_ARGUMENT,
        "etcdserver: wrong downgrade target version format",
        () -> downgrade(DowngradeAction.VALIDATE, "three"));
    for (String target : List.of("3.7", "3.5.0", "4.6", "3.8")) {
      refused(
          Status.Code.INVALID_ARGUMENT,
          "etcdserver: invalid downgrade target version",
          () -> downgrade(DowngradeAction.ENABLE, target));
    }
    assertEquals("3.7", downgrade(DowngradeAction.VALIDATE, "3.6").getVersion());
    assertEquals(false, status().getDowngradeInfo().getEnabled());
    assertEquals("3.7", downgrade(DowngradeAction.ENABLE, "3.6.9").getVersion());
    assertEquals(true, status().getDowngradeInfo().getEnabled());
    assertEquals("3.6.0", status().getDowngradeInfo().getTargetVersion());
    refused(
        Status.Code.FAILED_PRECONDITION,
        "etcdserver: cluster has a downgrade job in progress",
        () -> downgrade(DowngradeAction.ENABLE, "3.6"));
    for (int twice = 0; twice < 2; twice++) {
      assertEquals("3.7", downgrade(DowngradeAction.CANCEL, "").getVersion());
      assertEquals(false, status().getDowngradeInfo().getEnabled());
    }
  }

  private StatusResponse status() {
    return maintenance.status(StatusRequest.getDefaultInstance());
  }

  private DowngradeResponse downgrade(DowngradeAction action, String version) {
    return maintenance.downgrade(
        DowngradeRequest.newBuilder().setAction(action).setVersion(version).build());
  }

  private List<AlarmMember> alarms(AlarmAction action, long member, AlarmType type) {
    return maintenance
        .alarm(
            AlarmRequest.newBuilder().setAction(action).setMemberID(member).setAlarm(type).build())
        .getAlarmsList();
  }

  private PutResponse put(String key, int length) {
    return kv.put(
        PutRequest.newBuilder()
            .setKey(bytes(key))
            .setValue(ByteString.copyFrom(new byte[length]))
            .build());
  }

  private static RequestOp op(String key) {
    return RequestOp.newBuilder().setRequestPut(PutRequest.newBuilder().setKey(bytes(key))).build();
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static void refused(Status.Code code, String text, Executable call) {
    StatusRuntimeException e = assertThrows(StatusRuntimeException.class, call);
    assertEquals(code, e.getStatus().getCode());
    assertEquals(text, e.getStatus().getDescription());
  }
}
