package io.tidemark.it.security;

import static io.tidemark.it.security.RpcCases.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AuthEnableRequest;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthRoleListRequest;
import io.tidemark.api.etcdserverpb.AuthStatusRequest;
import io.tidemark.api.etcdserverpb.AuthStatusResponse;
import io.tidemark.api.etcdserverpb.AuthUserListRequest;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.HashKVRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseLeasesRequest;
import io.tidemark.api.etcdserverpb.LeaseStatus;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.MemberListRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import java.util.List;

/** What a member holds, as root is told. */
final class StoreAccount {
  private static final ByteString END = bytes("\0");

  private final Channel channel;

  private StoreAccount(Channel channel) {
    this.channel = channel;
  }

  /**
   * All that can be told at one moment.
   *
   * @param hash of all keys with their history
   * @param others what the user {@code enough} may not change
   */
  record Told(long revision, int hash, List<Long> leases, Others others) {}

  /**
   * What the user {@code enough} may not change.
   *
   * @param keys outside of his, with their revisions
   */
  record Others(String keys, String auth, String members, String alarms) {}

  /** Puts keys around those of the user and turns authentication on. */
  static StoreAccount begin(Channel channel) {
    var lease =
        LeaseGrpc.newBlockingStub(channel)
            .leaseGrant(LeaseGrantRequest.newBuilder().setID(8).setTTL(100_000).build());
    for (String key : List.of("a", "jzz", "m", "y", "z")) {
      put(channel, key, 8);
    }
    var enabled =
        AuthGrpc.newBlockingStub(channel).authEnable(AuthEnableRequest.getDefaultInstance());
    return new StoreAccount(channel);
  }

  private static void put(Channel channel, String key, long lease) {
    var put =
        KVGrpc.newBlockingStub(channel)
            .put(
                PutRequest.newBuilder()
                    .setKey(bytes(key))
                    .setValue(bytes("kept"))
                    .setLease(lease)
                    .build());
  }

  String login(String user) {
    return Everybody.login(channel, user);
  }

  private Channel as(String user) {
    return Everybody.with(channel, login(user));
  }

  Told told() {
    Channel root = as("root");
    var hash = MaintenanceGrpc.newBlockingStub(root).hashKV(HashKVRequest.getDefaultInstance());
    List<Long> leases =
        LeaseGrpc.newBlockingStub(root)
            .leaseLeases(LeaseLeasesRequest.getDefaultInstance())
            .getLeasesList()
            .stream()
            .map(LeaseStatus::getID)
            .sorted()
            .toList();
    return new Told(hash.getHeader().getRevision(), hash.getHash(), leases, others(root));
  }

  private static Others others(Channel root) {
    AuthGrpc.AuthBlockingStub auth = AuthGrpc.newBlockingStub(root);
    AuthStatusResponse status = auth.authStatus(AuthStatusRequest.getDefaultInstance());
    return new Others(
        range(root, bytes("\0"), bytes("k")) + range(root, bytes("m"), END),
        status.getEnabled()
            + " "
            + status.getAuthRevision()
            + auth.userList(AuthUserListRequest.getDefaultInstance()).getUsersList()
            + auth.roleList(AuthRoleListRequest.getDefaultInstance()).getRolesList(),
        ClusterGrpc.newBlockingStub(root)
            .memberList(MemberListRequest.getDefaultInstance())
            .getMembersList()
            .toString(),
        MaintenanceGrpc.newBlockingStub(root)
            .alarm(AlarmRequest.getDefaultInstance())
            .getAlarmsList()
            .toString());
  }

  private static String range(Channel channel, ByteString key, ByteString end) {
    return KVGrpc.newBlockingStub(channel)
        .range(RangeRequest.newBuilder().setKey(key).setRangeEnd(end).build())
        .getKvsList()
        .toString();
  }

  /** Writes and reads. */
  void assertServes() {
    Channel root = as("root");
    put(root, "served", 0);
    assertEquals(
        "kept",
        KVGrpc.newBlockingStub(root)
            .range(RangeRequest.newBuilder().setKey(bytes("served")).build())
            .getKvs(0)
            .getValue()
            .toStringUtf8());
  }
}
