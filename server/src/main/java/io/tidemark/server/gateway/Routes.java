package io.tidemark.server.gateway;

import io.grpc.MethodDescriptor;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.tidemarkpb.ConsoleGrpc;
import io.tidemark.api.v3electionpb.ElectionGrpc;
import io.tidemark.api.v3lockpb.LockGrpc;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The paths of contract section 5.2, without {@code /v3/} in front. Immutable. */
final class Routes {
  private final Map<String, Route> byPath = new TreeMap<>();

  private Routes() {}

  /** Etcd's. */
  static Routes ofEtcd() {
    Routes routes = new Routes();
    routes.keys();
    routes.leases();
    routes.members();
    routes.users();
    routes.recipes();
    return routes;
  }

  /** What the console asks beside them, without {@code /console/api/} in front. */
  static Routes ofConsole() {
    return new Routes()
        .add("members", ConsoleGrpc.getMembersMethod())
        .add("children", ConsoleGrpc.getChildrenMethod())
        .add("history", ConsoleGrpc.getHistoryMethod());
  }

  @Nullable Route find(String path) {
    return byPath.get(path);
  }

  Map<String, Route> all() {
    return Map.copyOf(byPath);
  }

  private Routes add(String path, MethodDescriptor<?, ?> method) {
    byPath.put(path, Route.to(method));
    return this;
  }

  private void keys() {
    add("kv/range", KVGrpc.getRangeMethod())
        .add("kv/put", KVGrpc.getPutMethod())
        .add("kv/deleterange", KVGrpc.getDeleteRangeMethod())
        .add("kv/txn", KVGrpc.getTxnMethod())
        .add("kv/compaction", KVGrpc.getCompactMethod())
        .add("watch", WatchGrpc.getWatchMethod());
  }

  private void leases() {
    add("lease/grant", LeaseGrpc.getLeaseGrantMethod())
        .add("lease/keepalive", LeaseGrpc.getLeaseKeepAliveMethod());
    for (String prefix : new String[] {"lease/", "kv/lease/"}) {
      add(prefix + "revoke", LeaseGrpc.getLeaseRevokeMethod())
          .add(prefix + "timetolive", LeaseGrpc.getLeaseTimeToLiveMethod())
          .add(prefix + "leases", LeaseGrpc.getLeaseLeasesMethod());
    }
  }

  private void members() {
    add("cluster/member/add", ClusterGrpc.getMemberAddMethod())
        .add("cluster/member/remove", ClusterGrpc.getMemberRemoveMethod())
        .add("cluster/member/update", ClusterGrpc.getMemberUpdateMethod())
        .add("cluster/member/list", ClusterGrpc.getMemberListMethod())
        .add("cluster/member/promote", ClusterGrpc.getMemberPromoteMethod())
        .add("maintenance/alarm", MaintenanceGrpc.getAlarmMethod())
        .add("maintenance/status", MaintenanceGrpc.getStatusMethod())
        .add("maintenance/defragment", MaintenanceGrpc.getDefragmentMethod())
        .add("maintenance/hash", MaintenanceGrpc.getHashMethod())
        .add("maintenance/hashkv", MaintenanceGrpc.getHashKVMethod())
        .add("maintenance/snapshot", MaintenanceGrpc.getSnapshotMethod())
        .add("maintenance/transfer-leadership", MaintenanceGrpc.getMoveLeaderMethod())
        .add("maintenance/downgrade", MaintenanceGrpc.getDowngradeMethod());
  }

  private void users() {
    add("auth/enable", AuthGrpc.getAuthEnableMethod())
        .add("auth/disable", AuthGrpc.getAuthDisableMethod())
        .add("auth/status", AuthGrpc.getAuthStatusMethod())
        .add("auth/authenticate", AuthGrpc.getAuthenticateMethod())
        .add("auth/user/add", AuthGrpc.getUserAddMethod())
        .add("auth/user/get", AuthGrpc.getUserGetMethod())
        .add("auth/user/list", AuthGrpc.getUserListMethod())
        .add("auth/user/delete", AuthGrpc.getUserDeleteMethod())
        .add("auth/user/changepw", AuthGrpc.getUserChangePasswordMethod())
        .add("auth/user/grant", AuthGrpc.getUserGrantRoleMethod())
        .add("auth/user/revoke", AuthGrpc.getUserRevokeRoleMethod())
        .add("auth/role/add", AuthGrpc.getRoleAddMethod())
        .add("auth/role/get", AuthGrpc.getRoleGetMethod())
        .add("auth/role/list", AuthGrpc.getRoleListMethod())
        .add("auth/role/delete", AuthGrpc.getRoleDeleteMethod())
        .add("auth/role/grant", AuthGrpc.getRoleGrantPermissionMethod())
        .add("auth/role/revoke", AuthGrpc.getRoleRevokePermissionMethod());
  }

  private void recipes() {
    add("lock/lock", LockGrpc.getLockMethod())
        .add("lock/unlock", LockGrpc.getUnlockMethod())
        .add("election/campaign", ElectionGrpc.getCampaignMethod())
        .add("election/proclaim", ElectionGrpc.getProclaimMethod())
        .add("election/leader", ElectionGrpc.getLeaderMethod())
        .add("election/observe", ElectionGrpc.getObserveMethod())
        .add("election/resign", ElectionGrpc.getResignMethod());
  }
}
