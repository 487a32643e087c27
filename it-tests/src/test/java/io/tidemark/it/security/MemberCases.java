package io.tidemark.it.security;

import static io.tidemark.it.security.RpcCases.OK;
import static io.tidemark.it.security.RpcCases.bytes;
import static io.tidemark.it.security.RpcCases.text;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.DefragmentRequest;
import io.tidemark.api.etcdserverpb.DowngradeRequest;
import io.tidemark.api.etcdserverpb.HashKVRequest;
import io.tidemark.api.etcdserverpb.HashRequest;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.MemberAddRequest;
import io.tidemark.api.etcdserverpb.MemberListRequest;
import io.tidemark.api.etcdserverpb.MemberPromoteRequest;
import io.tidemark.api.etcdserverpb.MemberRemoveRequest;
import io.tidemark.api.etcdserverpb.MemberUpdateRequest;
import io.tidemark.api.etcdserverpb.MoveLeaderRequest;
import io.tidemark.api.etcdserverpb.SnapshotRequest;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.api.healthpb.HealthCheckRequest;
import io.tidemark.api.healthpb.HealthGrpc;
import io.tidemark.api.tidemarkpb.ChildrenRequest;
import io.tidemark.api.tidemarkpb.ConsoleGrpc;
import io.tidemark.api.tidemarkpb.HistoryRequest;
import io.tidemark.api.tidemarkpb.MembersRequest;
import io.tidemark.it.security.RpcCases.Case;
import io.tidemark.it.security.RpcCases.Needs;
import java.util.List;

/** Calls about members and what they keep, and the console's. */
final class MemberCases {
  private MemberCases() {}

  static List<Case> all(String peerUrl) {
    AlarmRequest activate =
        AlarmRequest.newBuilder()
            .setAction(AlarmRequest.AlarmAction.ACTIVATE)
            .setAlarm(AlarmType.NONE)
            .build();
    return List.of(
        new Case(
            "MemberList",
            ClusterGrpc.getMemberListMethod(),
            MemberListRequest.getDefaultInstance(),
            Needs.ANY_USER,
            OK),
        new Case(
            "MemberList linearizable",
            ClusterGrpc.getMemberListMethod(),
            MemberListRequest.newBuilder().setLinearizable(true).build(),
            Needs.ANY_USER,
            OK),
        new Case(
            "MemberAdd",
            ClusterGrpc.getMemberAddMethod(),
            MemberAddRequest.newBuilder().addPeerURLs(peerUrl).setIsLearner(true).build(),
            Needs.ROOT,
            text(EtcdError.PEER_URL_EXIST)),
        new Case(
            "MemberRemove",
            ClusterGrpc.getMemberRemoveMethod(),
            MemberRemoveRequest.newBuilder().setID(7).build(),
            Needs.ROOT,
            text(EtcdError.MEMBER_NOT_FOUND)),
        new Case(
            "MemberUpdate",
            ClusterGrpc.getMemberUpdateMethod(),
            MemberUpdateRequest.newBuilder().setID(7).build(),
            Needs.ROOT,
            text(EtcdError.MEMBER_NOT_FOUND)),
        new Case(
            "MemberPromote",
            ClusterGrpc.getMemberPromoteMethod(),
            MemberPromoteRequest.newBuilder().setID(7).build(),
            Needs.ROOT,
            text(EtcdError.MEMBER_NOT_FOUND)),
        new Case(
            "Downgrade",
            MaintenanceGrpc.getDowngradeMethod(),
            DowngradeRequest.newBuilder().setVersion("x").build(),
            Needs.ROOT,
            text(EtcdError.WRONG_DOWNGRADE_VERSION_FORMAT)),
        new Case(
            "Check",
            HealthGrpc.getCheckMethod(),
            HealthCheckRequest.getDefaultInstance(),
            Needs.NOTHING,
            OK),
        new Case(
            "Watch of health",
            HealthGrpc.getWatchMethod(),
            HealthCheckRequest.getDefaultInstance(),
            Needs.NOTHING,
            OK),
        new Case(
            "Status",
            MaintenanceGrpc.getStatusMethod(),
            StatusRequest.getDefaultInstance(),
            Needs.ANY_USER,
            OK),
        new Case(
            "Alarm get",
            MaintenanceGrpc.getAlarmMethod(),
            AlarmRequest.getDefaultInstance(),
            Needs.ANY_USER,
            OK),
        new Case("Alarm set", MaintenanceGrpc.getAlarmMethod(), activate, Needs.ROOT, OK),
        new Case(
            "Hash",
            MaintenanceGrpc.getHashMethod(),
            HashRequest.getDefaultInstance(),
            Needs.ROOT,
            OK),
        new Case(
            "Defragment",
            MaintenanceGrpc.getDefragmentMethod(),
            DefragmentRequest.getDefaultInstance(),
            Needs.ROOT,
            OK),
        new Case(
            "Snapshot",
            MaintenanceGrpc.getSnapshotMethod(),
            SnapshotRequest.getDefaultInstance(),
            Needs.ROOT,
            OK),
        new Case(
            "MoveLeader",
            MaintenanceGrpc.getMoveLeaderMethod(),
            MoveLeaderRequest.newBuilder().setTargetID(7).build(),
            Needs.ROOT,
            text(EtcdError.BAD_LEADER_TRANSFEREE)),
        new Case(
            "HashKV",
            MaintenanceGrpc.getHashKVMethod(),
            HashKVRequest.getDefaultInstance(),
            Needs.ROOT,
            OK));
  }

  static List<Case> console() {
    return List.of(
        new Case(
            "Members",
            ConsoleGrpc.getMembersMethod(),
            MembersRequest.getDefaultInstance(),
            Needs.ANY_USER,
            OK),
        new Case(
            "Children",
            ConsoleGrpc.getChildrenMethod(),
            ChildrenRequest.newBuilder().setPrefix(bytes("k")).setSeparator(bytes("/")).build(),
            Needs.KEYS,
            OK),
        new Case(
            "History",
            ConsoleGrpc.getHistoryMethod(),
            HistoryRequest.newBuilder().setKey(bytes("k")).build(),
            Needs.KEYS,
            OK),
        new Case(
            "Children of all",
            ConsoleGrpc.getChildrenMethod(),
            ChildrenRequest.newBuilder().setSeparator(bytes("/")).build(),
            Needs.ROOT,
            OK));
  }
}
