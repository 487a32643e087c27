package io.tidemark.it.security;

import static io.tidemark.it.security.RpcCases.bytes;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;
import io.grpc.MethodDescriptor;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.WatchCancelRequest;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchProgressRequest;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.it.security.RpcCases.Needs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A sound call, ready to be spoilt.
 *
 * @param path where the JSON gateway takes it; null where it doesn't
 */
record SampleCall(
    MethodDescriptor<?, ?> method,
    Needs needs,
    ByteString message,
    ByteString json,
    @Nullable String path) {
  /** Calls that may go on until somebody ends them. */
  private static final Set<String> WAITING =
      Set.of(
          "etcdserverpb.Watch/Watch",
          "etcdserverpb.Lease/LeaseKeepAlive",
          "v3lockpb.Lock/Lock",
          "v3electionpb.Election/Campaign",
          "v3electionpb.Election/Observe",
          "grpc.health.v1.Health/Watch");

  private static final String PATHS =
      """
      KV/Range /v3/kv/range
      KV/Put /v3/kv/put
      KV/DeleteRange /v3/kv/deleterange
      KV/Txn /v3/kv/txn
      KV/Compact /v3/kv/compaction
      Watch/Watch /v3/watch
      Lease/LeaseGrant /v3/lease/grant
      Lease/LeaseKeepAlive /v3/lease/keepalive
      Lease/LeaseRevoke /v3/lease/revoke
      Lease/LeaseTimeToLive /v3/lease/timetolive
      Lease/LeaseLeases /v3/lease/leases
      Cluster/MemberAdd /v3/cluster/member/add
      Cluster/MemberRemove /v3/cluster/member/remove
      Cluster/MemberUpdate /v3/cluster/member/update
      Cluster/MemberList /v3/cluster/member/list
      Cluster/MemberPromote /v3/cluster/member/promote
      Maintenance/Alarm /v3/maintenance/alarm
      Maintenance/Status /v3/maintenance/status
      Maintenance/Defragment /v3/maintenance/defragment
      Maintenance/Hash /v3/maintenance/hash
      Maintenance/HashKV /v3/maintenance/hashkv
      Maintenance/Snapshot /v3/maintenance/snapshot
      Maintenance/MoveLeader /v3/maintenance/transfer-leadership
      Maintenance/Downgrade /v3/maintenance/downgrade
      Auth/AuthEnable /v3/auth/enable
      Auth/AuthDisable /v3/auth/disable
      Auth/AuthStatus /v3/auth/status
      Auth/Authenticate /v3/auth/authenticate
      Auth/UserAdd /v3/auth/user/add
      Auth/UserGet /v3/auth/user/get
      Auth/UserList /v3/auth/user/list
      Auth/UserDelete /v3/auth/user/delete
      Auth/UserChangePassword /v3/auth/user/changepw
      Auth/UserGrantRole /v3/auth/user/grant
      Auth/UserRevokeRole /v3/auth/user/revoke
      Auth/RoleAdd /v3/auth/role/add
      Auth/RoleGet /v3/auth/role/get
      Auth/RoleList /v3/auth/role/list
      Auth/RoleDelete /v3/auth/role/delete
      Auth/RoleGrantPermission /v3/auth/role/grant
      Auth/RoleRevokePermission /v3/auth/role/revoke
      Lock/Lock /v3/lock/lock
      Lock/Unlock /v3/lock/unlock
      Election/Campaign /v3/election/campaign
      Election/Proclaim /v3/election/proclaim
      Election/Leader /v3/election/leader
      Election/Observe /v3/election/observe
      Election/Resign /v3/election/resign
      Console/Members /console/api/members
      Console/Children /console/api/children
      Console/History /console/api/history
      """;

  String name() {
    return method.getFullMethodName();
  }

  boolean waits() {
    return WAITING.contains(name());
  }

  /** Those of the table of rights, and some with more in them. */
  static List<SampleCall> all() {
    Map<String, String> paths = new HashMap<>();
    PATHS.lines().map(line -> line.split(" ", 2)).forEach(words -> paths.put(words[0], words[1]));
    List<SampleCall> calls = new ArrayList<>();
    RpcCases.all("http://127.0.0.1:1")
        .forEach(row -> calls.add(of(row.method(), row.needs(), row.request(), paths)));
    List.of(RightsTable.ENABLE, RightsTable.DISABLE, RightsTable.LOGIN)
        .forEach(row -> calls.add(of(row.method(), row.needs(), row.request(), paths)));
    rich().forEach(row -> calls.add(of(row.method(), Needs.KEYS, row.request(), paths)));
    return calls;
  }

  private static SampleCall of(
      MethodDescriptor<?, ?> method, Needs needs, MessageLite request, Map<String, String> paths) {
    String full = method.getFullMethodName();
    try {
      String json =
          JsonFormat.printer()
              .preservingProtoFieldNames()
              .omittingInsignificantWhitespace()
              .print((MessageOrBuilder) request);
      return new SampleCall(
          method,
          needs,
          request.toByteString(),
          ByteString.copyFromUtf8(json),
          paths.get(full.substring(full.lastIndexOf('.') + 1)));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Row> rich() {
    RangeRequest range =
        RangeRequest.newBuilder()
            .setKey(bytes("k"))
            .setRangeEnd(bytes("m"))
            .setLimit(3)
            .setRevision(5)
            .setSortOrder(RangeRequest.SortOrder.DESCEND)
            .setSortTarget(RangeRequest.SortTarget.VALUE)
            .setMinModRevision(2)
            .setMaxCreateRevision(9)
            .build();
    PutRequest put =
        PutRequest.newBuilder()
            .setKey(bytes("kput"))
            .setValue(bytes("a value"))
            .setLease(RpcCases.OURS)
            .build();
    TxnRequest txn =
        TxnRequest.newBuilder()
            .addCompare(
                Compare.newBuilder()
                    .setResult(Compare.CompareResult.GREATER)
                    .setTarget(Compare.CompareTarget.MOD)
                    .setKey(bytes("k"))
                    .setRangeEnd(bytes("l"))
                    .setModRevision(3))
            .addSuccess(RequestOp.newBuilder().setRequestPut(put))
            .addFailure(RequestOp.newBuilder().setRequestRange(range))
            .build();
    Permission permission =
        Permission.newBuilder()
            .setPermType(Permission.Type.READWRITE)
            .setKey(bytes("a"))
            .setRangeEnd(bytes("z"))
            .build();
    return List.of(
        new Row(KVGrpc.getRangeMethod(), range),
        new Row(KVGrpc.getRangeStreamMethod(), range),
        new Row(KVGrpc.getPutMethod(), put),
        new Row(KVGrpc.getTxnMethod(), txn),
        new Row(
            KVGrpc.getTxnMethod(),
            TxnRequest.newBuilder()
                .addSuccess(RequestOp.newBuilder().setRequestTxn(txn))
                .addSuccess(
                    RequestOp.newBuilder().setRequestPut(put.toBuilder().setKey(bytes("ktwo"))))
                .build()),
        new Row(
            AuthGrpc.getRoleGrantPermissionMethod(),
            AuthRoleGrantPermissionRequest.newBuilder()
                .setName("just")
                .setPerm(permission)
                .build()),
        new Row(
            LeaseGrpc.getLeaseKeepAliveMethod(),
            LeaseKeepAliveRequest.newBuilder().setID(RpcCases.OURS).build()),
        watch(
            WatchRequest.newBuilder()
                .setCreateRequest(
                    WatchCreateRequest.newBuilder()
                        .setKey(bytes("k"))
                        .setRangeEnd(bytes("l"))
                        .setStartRevision(3)
                        .setPrevKv(true)
                        .setWatchId(4))),
        watch(
            WatchRequest.newBuilder()
                .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(4))),
        watch(
            WatchRequest.newBuilder()
                .setProgressRequest(WatchProgressRequest.getDefaultInstance())));
  }

  private static Row watch(WatchRequest.Builder request) {
    return new Row(WatchGrpc.getWatchMethod(), request.build());
  }

  private record Row(MethodDescriptor<?, ?> method, Message request) {}
}
