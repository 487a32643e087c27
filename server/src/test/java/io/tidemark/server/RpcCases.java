package io.tidemark.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthRoleDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGetRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthRoleListRequest;
import io.tidemark.api.etcdserverpb.AuthRoleRevokePermissionRequest;
import io.tidemark.api.etcdserverpb.AuthStatusRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserChangePasswordRequest;
import io.tidemark.api.etcdserverpb.AuthUserDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthUserGetRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.api.etcdserverpb.AuthUserListRequest;
import io.tidemark.api.etcdserverpb.AuthUserRevokeRoleRequest;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.DefragmentRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.HashKVRequest;
import io.tidemark.api.etcdserverpb.HashRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseLeasesRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveRequest;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.MemberListRequest;
import io.tidemark.api.etcdserverpb.MemberPromoteRequest;
import io.tidemark.api.etcdserverpb.MemberRemoveRequest;
import io.tidemark.api.etcdserverpb.MemberUpdateRequest;
import io.tidemark.api.etcdserverpb.MoveLeaderRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.SnapshotRequest;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.tidemarkpb.ChildrenRequest;
import io.tidemark.api.tidemarkpb.ConsoleGrpc;
import io.tidemark.api.tidemarkpb.HistoryRequest;
import io.tidemark.api.tidemarkpb.MembersRequest;
import io.tidemark.api.v3electionpb.CampaignRequest;
import io.tidemark.api.v3electionpb.ElectionGrpc;
import io.tidemark.api.v3electionpb.LeaderKey;
import io.tidemark.api.v3electionpb.LeaderRequest;
import io.tidemark.api.v3electionpb.ProclaimRequest;
import io.tidemark.api.v3electionpb.ResignRequest;
import io.tidemark.api.v3lockpb.LockGrpc;
import io.tidemark.api.v3lockpb.LockRequest;
import io.tidemark.api.v3lockpb.UnlockRequest;
import java.util.ArrayList;
import java.util.List;

/** Every call that there is, who may make it, and how it ends for whoever may. */
final class RpcCases {
  static final String OK = "OK";

  /** A lease whose key is k, which the user with just enough may read and write. */
  static final long OURS = 7;

  private RpcCases() {}

  /** Who needs what, and how the call ends for whoever may make it. */
  enum Needs {
    NOTHING,
    SOUND_TOKEN,
    ANY_USER,
    KEYS,
    /** As keys, but these services answer every refusal with the code UNKNOWN. */
    RECIPE_KEYS,
    OWN,
    ROOT
  }

  record Case(
      String name,
      MethodDescriptor<? extends MessageLite, ?> method,
      MessageLite request,
      Needs needs,
      String allowed) {}

  static String text(EtcdError error) {
    return Status.fromCodeValue(error.code()).getCode() + " " + error.message();
  }

  static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  static List<Case> all() {
    List<Case> cases = new ArrayList<>();
    cases.addAll(keys());
    cases.addAll(memberCases());
    cases.addAll(authCases());
    cases.addAll(consoleCases());
    return cases;
  }

  private static List<Case> consoleCases() {
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

  /** The user with just enough may read and write [k, m) and read all from y on. */
  static List<Case> keys() {
    PutRequest put = PutRequest.newBuilder().setKey(bytes("k")).setPrevKv(true).build();
    RangeRequest get = RangeRequest.newBuilder().setKey(bytes("k")).build();
    DeleteRangeRequest delete =
        DeleteRangeRequest.newBuilder()
            .setKey(bytes("l"))
            .setRangeEnd(bytes("m"))
            .setPrevKv(true)
            .build();
    TxnRequest write =
        TxnRequest.newBuilder()
            .addSuccess(RequestOp.newBuilder().setRequestPut(put))
            .addFailure(RequestOp.newBuilder().setRequestDeleteRange(delete))
            .build();
    TxnRequest nested =
        TxnRequest.newBuilder().addSuccess(RequestOp.newBuilder().setRequestTxn(write)).build();
    TxnRequest read =
        TxnRequest.newBuilder().addSuccess(RequestOp.newBuilder().setRequestRange(get)).build();
    RangeRequest open =
        RangeRequest.newBuilder().setKey(bytes("y")).setRangeEnd(bytes("\0")).build();
    return List.of(
        new Case("Put", KVGrpc.getPutMethod(), put, Needs.KEYS, OK),
        new Case("Range", KVGrpc.getRangeMethod(), get, Needs.KEYS, OK),
        new Case(
            "Range serializable",
            KVGrpc.getRangeMethod(),
            get.toBuilder().setSerializable(true).build(),
            Needs.KEYS,
            OK),
        new Case("Range open", KVGrpc.getRangeMethod(), open, Needs.KEYS, OK),
        new Case("RangeStream", KVGrpc.getRangeStreamMethod(), get, Needs.KEYS, OK),
        new Case("DeleteRange", KVGrpc.getDeleteRangeMethod(), delete, Needs.KEYS, OK),
        new Case("Txn", KVGrpc.getTxnMethod(), write, Needs.KEYS, OK),
        new Case("Txn nested", KVGrpc.getTxnMethod(), nested, Needs.KEYS, OK),
        new Case("Txn reading", KVGrpc.getTxnMethod(), read, Needs.KEYS, OK),
        new Case(
            "LeaseGrant",
            LeaseGrpc.getLeaseGrantMethod(),
            LeaseGrantRequest.newBuilder().setTTL(600).build(),
            Needs.ANY_USER,
            OK),
        new Case(
            "LeaseRevoke of nothing",
            LeaseGrpc.getLeaseRevokeMethod(),
            LeaseRevokeRequest.newBuilder().setID(99).build(),
            Needs.ANY_USER,
            text(EtcdError.LEASE_NOT_FOUND)),
        new Case(
            "LeaseTimeToLive",
            LeaseGrpc.getLeaseTimeToLiveMethod(),
            LeaseTimeToLiveRequest.newBuilder().setID(OURS).build(),
            Needs.ANY_USER,
            OK),
        new Case(
            "LeaseTimeToLive with keys",
            LeaseGrpc.getLeaseTimeToLiveMethod(),
            LeaseTimeToLiveRequest.newBuilder().setID(OURS).setKeys(true).build(),
            Needs.KEYS,
            OK),
        new Case(
            "LeaseLeases",
            LeaseGrpc.getLeaseLeasesMethod(),
            LeaseLeasesRequest.getDefaultInstance(),
            Needs.KEYS,
            OK),
        new Case(
            "Put on a lease",
            KVGrpc.getPutMethod(),
            put.toBuilder().setKey(bytes("kleased")).setLease(OURS).build(),
            Needs.KEYS,
            OK),
        new Case(
            "Leader",
            ElectionGrpc.getLeaderMethod(),
            LeaderRequest.newBuilder().setName(bytes("k")).build(),
            Needs.RECIPE_KEYS,
            "UNKNOWN election: no leader"),
        new Case(
            "Unlock",
            LockGrpc.getUnlockMethod(),
            UnlockRequest.newBuilder().setKey(bytes("k/1")).build(),
            Needs.RECIPE_KEYS,
            OK),
        new Case(
            "Lock",
            LockGrpc.getLockMethod(),
            LockRequest.newBuilder().setName(bytes("klock")).setLease(OURS).build(),
            Needs.RECIPE_KEYS,
            OK),
        new Case(
            "Campaign",
            ElectionGrpc.getCampaignMethod(),
            CampaignRequest.newBuilder().setName(bytes("kchair")).setLease(OURS).build(),
            Needs.RECIPE_KEYS,
            OK),
        new Case(
            "Resign",
            ElectionGrpc.getResignMethod(),
            ResignRequest.newBuilder().setLeader(LeaderKey.newBuilder().setKey(bytes("k"))).build(),
            Needs.RECIPE_KEYS,
            OK),
        new Case(
            "Proclaim",
            ElectionGrpc.getProclaimMethod(),
            ProclaimRequest.newBuilder()
                .setLeader(LeaderKey.newBuilder().setKey(bytes("k")).setRev(7).setLease(OURS))
                .build(),
            Needs.RECIPE_KEYS,
            "UNKNOWN election: not leader"),
        new Case(
            "Compact",
            KVGrpc.getCompactMethod(),
            CompactionRequest.newBuilder().setRevision(Long.MAX_VALUE).build(),
            Needs.ROOT,
            text(EtcdError.FUTURE_REV)));
  }

  private static List<Case> memberCases() {
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

  private static List<Case> authCases() {
    String noUser = text(EtcdError.USER_NOT_FOUND);
    String noRole = text(EtcdError.ROLE_NOT_FOUND);
    return List.of(
        new Case(
            "AuthStatus",
            AuthGrpc.getAuthStatusMethod(),
            AuthStatusRequest.getDefaultInstance(),
            Needs.SOUND_TOKEN,
            OK),
        new Case(
            "UserAdd",
            AuthGrpc.getUserAddMethod(),
            AuthUserAddRequest.newBuilder().setName("enough").setPassword("x").build(),
            Needs.ROOT,
            text(EtcdError.USER_ALREADY_EXIST)),
        new Case(
            "UserGet",
            AuthGrpc.getUserGetMethod(),
            AuthUserGetRequest.newBuilder().setName("enough").build(),
            Needs.OWN,
            OK),
        new Case(
            "UserGet unknown",
            AuthGrpc.getUserGetMethod(),
            AuthUserGetRequest.newBuilder().setName("ghost").build(),
            Needs.ROOT,
            noUser),
        new Case(
            "UserList",
            AuthGrpc.getUserListMethod(),
            AuthUserListRequest.getDefaultInstance(),
            Needs.ROOT,
            OK),
        new Case(
            "UserDelete",
            AuthGrpc.getUserDeleteMethod(),
            AuthUserDeleteRequest.newBuilder().setName("ghost").build(),
            Needs.ROOT,
            noUser),
        new Case(
            "UserChangePassword",
            AuthGrpc.getUserChangePasswordMethod(),
            AuthUserChangePasswordRequest.newBuilder().setName("ghost").setPassword("x").build(),
            Needs.ROOT,
            noUser),
        new Case(
            "UserGrantRole",
            AuthGrpc.getUserGrantRoleMethod(),
            AuthUserGrantRoleRequest.newBuilder().setUser("enough").setRole("ghost").build(),
            Needs.ROOT,
            noRole),
        new Case(
            "UserRevokeRole",
            AuthGrpc.getUserRevokeRoleMethod(),
            AuthUserRevokeRoleRequest.newBuilder().setName("enough").setRole("ghost").build(),
            Needs.ROOT,
            text(EtcdError.ROLE_NOT_GRANTED)),
        new Case(
            "RoleAdd",
            AuthGrpc.getRoleAddMethod(),
            AuthRoleAddRequest.getDefaultInstance(),
            Needs.ROOT,
            text(EtcdError.ROLE_EMPTY)),
        new Case(
            "RoleGet",
            AuthGrpc.getRoleGetMethod(),
            AuthRoleGetRequest.newBuilder().setRole("just").build(),
            Needs.OWN,
            OK),
        new Case(
            "RoleList",
            AuthGrpc.getRoleListMethod(),
            AuthRoleListRequest.getDefaultInstance(),
            Needs.ROOT,
            OK),
        new Case(
            "RoleDelete",
            AuthGrpc.getRoleDeleteMethod(),
            AuthRoleDeleteRequest.newBuilder().setRole("ghost").build(),
            Needs.ROOT,
            noRole),
        new Case(
            "RoleGrantPermission",
            AuthGrpc.getRoleGrantPermissionMethod(),
            AuthRoleGrantPermissionRequest.newBuilder().setName("just").build(),
            Needs.ROOT,
            text(EtcdError.PERMISSION_NOT_GIVEN)),
        new Case(
            "RoleRevokePermission",
            AuthGrpc.getRoleRevokePermissionMethod(),
            AuthRoleRevokePermissionRequest.newBuilder().setRole("ghost").build(),
            Needs.ROOT,
            noRole));
  }
}
