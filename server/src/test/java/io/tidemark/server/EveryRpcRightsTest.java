package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.AuthDisableRequest;
import io.tidemark.api.etcdserverpb.AuthEnableRequest;
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
import io.tidemark.api.etcdserverpb.AuthenticateRequest;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.DefragmentRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.HashKVRequest;
import io.tidemark.api.etcdserverpb.HashRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
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
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every call, by everybody: with authentication off, and then without a token, with a wrong one,
 * with one that has ended, by a user whose role says something else, by one whose role says just
 * enough, and by root.
 */
final class EveryRpcRightsTest {
  private static final String OK = "OK";

  /** A lease whose key is k, which the user with just enough may read and write. */
  private static final long OURS = 7;

  private static final String EMPTY_USER = text(EtcdError.USER_EMPTY);
  private static final String BAD_TOKEN = text(EtcdError.INVALID_AUTH_TOKEN);
  private static final String DENIED = text(EtcdError.PERMISSION_DENIED);

  private static final Set<Needs> JUST = Set.of(Needs.KEYS, Needs.RECIPE_KEYS, Needs.OWN);

  @TempDir static Path data;

  private static LoneMember lone;

  /** Who needs what, and how the call ends for whoever may make it. */
  private enum Needs {
    NOTHING,
    SOUND_TOKEN,
    ANY_USER,
    KEYS,
    /** As keys, but these services answer every refusal with the code UNKNOWN. */
    RECIPE_KEYS,
    OWN,
    ROOT
  }

  private record Case(
      String name,
      MethodDescriptor<? extends MessageLite, ?> method,
      MessageLite request,
      Needs needs,
      String allowed) {}

  private static String text(EtcdError error) {
    return Status.fromCodeValue(error.code()).getCode() + " " + error.message();
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  @BeforeAll
  static void start() throws Exception {
    lone = LoneMember.start(data, "--bcrypt-cost=4");
  }

  @AfterAll
  static void stop() {
    lone.close();
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    cases.addAll(keyCases());
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
  private static List<Case> keyCases() {
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

  private static Channel with(String token) {
    if (token.isEmpty()) {
      return lone.channel;
    }
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER), token);
    return ClientInterceptors.intercept(
        lone.channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  @SuppressWarnings("unchecked")
  private static String outcome(Case call, String token) {
    MethodDescriptor<MessageLite, Object> method =
        (MethodDescriptor<MessageLite, Object>) (MethodDescriptor<?, ?>) call.method();
    try {
      Iterator<Object> replies =
          ClientCalls.blockingServerStreamingCall(
              with(token), method, CallOptions.DEFAULT, call.request());
      while (replies.hasNext()) {
        replies.next();
      }
      return OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() + " " + e.getStatus().getDescription();
    }
  }

  private static String watch(String token, String key, String end) {
    WatchCreateRequest create =
        WatchCreateRequest.newBuilder().setKey(bytes(key)).setRangeEnd(bytes(end)).build();
    WatchResponse first =
        ClientCalls.blockingServerStreamingCall(
                with(token),
                WatchGrpc.getWatchMethod().toBuilder()
                    .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                    .build(),
                CallOptions.DEFAULT,
                WatchRequest.newBuilder().setCreateRequest(create).build())
            .next();
    assertEquals(true, first.getCreated());
    assertEquals(first.getCanceled() ? -1 : 0, first.getWatchId());
    return first.getCanceled() ? first.getCancelReason() : OK;
  }

  private static void setUp() {
    var lease =
        LeaseGrpc.newBlockingStub(lone.channel)
            .leaseGrant(LeaseGrantRequest.newBuilder().setID(OURS).setTTL(600).build());
    var attached =
        KVGrpc.newBlockingStub(lone.channel)
            .put(PutRequest.newBuilder().setKey(bytes("kleased")).setLease(OURS).build());
    AuthGrpc.AuthBlockingStub auth = AuthGrpc.newBlockingStub(lone.channel);
    for (String user : List.of("root", "enough", "other", "ended")) {
      var unused =
          auth.userAdd(
              AuthUserAddRequest.newBuilder().setName(user).setPassword(user + "-pw").build());
    }
    for (String role : List.of("just", "elsewhere")) {
      var unused = auth.roleAdd(AuthRoleAddRequest.newBuilder().setName(role).build());
    }
    grant(auth, "just", Permission.Type.READWRITE, "k", "m");
    grant(auth, "just", Permission.Type.READ, "y", "\0");
    grant(auth, "elsewhere", Permission.Type.READWRITE, "a", "k");
    for (Map.Entry<String, String> held :
        Map.of("root", "root", "enough", "just", "other", "elsewhere").entrySet()) {
      var unused =
          auth.userGrantRole(
              AuthUserGrantRoleRequest.newBuilder()
                  .setUser(held.getKey())
                  .setRole(held.getValue())
                  .build());
    }
  }

  private static void grant(
      AuthGrpc.AuthBlockingStub auth, String role, Permission.Type type, String key, String end) {
    var unused =
        auth.roleGrantPermission(
            AuthRoleGrantPermissionRequest.newBuilder()
                .setName(role)
                .setPerm(
                    Permission.newBuilder()
                        .setPermType(type)
                        .setKey(bytes(key))
                        .setRangeEnd(bytes(end)))
                .build());
  }

  private static String login(String user) {
    return AuthGrpc.newBlockingStub(lone.channel)
        .authenticate(
            AuthenticateRequest.newBuilder().setName(user).setPassword(user + "-pw").build())
        .getToken();
  }

  @Test
  void everyCallByEverybody() {
    setUp();
    for (Case call : cases()) {
      assertEquals(call.allowed(), outcome(call, ""), call.name() + ", authentication off");
      assertEquals(call.allowed(), outcome(call, "x.1"), call.name() + ", off, with a token");
    }
    Case login =
        new Case(
            "Authenticate",
            AuthGrpc.getAuthenticateMethod(),
            AuthenticateRequest.newBuilder().setName("enough").setPassword("enough-pw").build(),
            Needs.NOTHING,
            OK);
    assertEquals(text(EtcdError.AUTH_NOT_ENABLED), outcome(login, ""));
    Case enable =
        new Case(
            "AuthEnable",
            AuthGrpc.getAuthEnableMethod(),
            AuthEnableRequest.getDefaultInstance(),
            Needs.ROOT,
            OK);
    assertEquals(OK, outcome(enable, ""));

    List<Case> all = new ArrayList<>(cases());
    all.add(login);
    all.add(enable);
    String root = login("root");
    String ended = login("ended");
    assertEquals(
        OK,
        outcome(
            new Case(
                "end",
                AuthGrpc.getUserChangePasswordMethod(),
                AuthUserChangePasswordRequest.newBuilder()
                    .setName("ended")
                    .setPassword("n")
                    .build(),
                Needs.ROOT,
                OK),
            root));
    String enough = login("enough");
    String other = login("other");
    for (Case call : all) {
      String name = call.name();
      Needs needs = call.needs();
      boolean open = needs == Needs.NOTHING || needs == Needs.SOUND_TOKEN;
      assertEquals(
          open ? call.allowed() : refusal(needs, EMPTY_USER),
          outcome(call, ""),
          name + ", no token");
      String unsound = needs == Needs.NOTHING ? call.allowed() : refusal(needs, BAD_TOKEN);
      for (String token : List.of("nonsense", "x.1", "x.999999999", ended)) {
        assertEquals(unsound, outcome(call, token), name + ", token " + token);
      }
      boolean anybody = open || needs == Needs.ANY_USER;
      String denied = refusal(needs, DENIED);
      assertEquals(anybody ? call.allowed() : denied, outcome(call, other), name + ", other role");
      boolean just = anybody || JUST.contains(needs);
      assertEquals(just ? call.allowed() : denied, outcome(call, enough), name + ", just enough");
      assertEquals(call.allowed(), outcome(call, root), name + ", root");
      assertEquals(call.allowed(), outcome(call, "Bearer " + root), name + ", root as bearer");
    }
    watches(enough, other, root);
    leases(enough, other, root, ended);

    Case disable =
        new Case(
            "AuthDisable",
            AuthGrpc.getAuthDisableMethod(),
            AuthDisableRequest.getDefaultInstance(),
            Needs.ROOT,
            OK);
    assertEquals(EMPTY_USER, outcome(disable, ""));
    assertEquals(BAD_TOKEN, outcome(disable, ended));
    assertEquals(DENIED, outcome(disable, enough));
    assertEquals(OK, outcome(disable, root));
    assertEquals(OK, outcome(keyCases().get(0), "nonsense"));
  }

  private static String refusal(Needs needs, String text) {
    return needs == Needs.RECIPE_KEYS ? "UNKNOWN" + text.substring(text.indexOf(' ')) : text;
  }

  private static void watches(String enough, String other, String root) {
    String denied = "rpc error: code = PermissionDenied desc = etcdserver: permission denied";
    assertEquals(
        "rpc error: code = InvalidArgument desc = etcdserver: user name is empty",
        watch("", "k", ""));
    assertEquals(
        "rpc error: code = Unauthenticated desc = etcdserver: invalid auth token",
        watch("x.1", "k", ""));
    assertEquals(
        "rpc error: code = Unauthenticated desc = etcdserver: invalid auth token",
        watch("x.999999999", "k", ""));
    assertEquals(denied, watch(other, "k", ""));
    assertEquals(denied, watch(enough, "k", "\0"));
    assertEquals(denied, watch(enough, "", ""));
    assertEquals(denied, watch(enough, "", "\0"));
    assertEquals(OK, watch(enough, "k", ""));
    assertEquals(OK, watch(enough, "k", "m"));
    assertEquals(OK, watch(enough, "y", "\0"));
    assertEquals(OK, watch(root, "", "\0"));
  }

  /** Renewing and ending a lease: questions of the keys on it. Ends the lease. */
  private static void leases(String enough, String other, String root, String ended) {
    LeaseKeepAliveRequest renew = LeaseKeepAliveRequest.newBuilder().setID(OURS).build();
    Case alive =
        new Case(
            "LeaseKeepAlive",
            LeaseGrpc.getLeaseKeepAliveMethod().toBuilder()
                .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                .build(),
            renew,
            Needs.KEYS,
            OK);
    Case revoke =
        new Case(
            "LeaseRevoke",
            LeaseGrpc.getLeaseRevokeMethod(),
            LeaseRevokeRequest.newBuilder().setID(OURS).build(),
            Needs.KEYS,
            OK);
    for (Case call : List.of(alive, revoke)) {
      assertEquals(EMPTY_USER, outcome(call, ""), call.name());
      assertEquals(BAD_TOKEN, outcome(call, ended), call.name());
      assertEquals(BAD_TOKEN, outcome(call, "x.999999999"), call.name());
      assertEquals(DENIED, outcome(call, other), call.name());
    }
    assertEquals(OK, outcome(alive, root));
    assertEquals(OK, outcome(alive, enough));
    assertEquals(OK, outcome(revoke, enough));
    assertEquals(text(EtcdError.LEASE_NOT_FOUND), outcome(revoke, root));
  }
}
