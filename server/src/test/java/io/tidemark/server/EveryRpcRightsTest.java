package io.tidemark.server;

import static io.tidemark.server.RpcCases.OK;
import static io.tidemark.server.RpcCases.OURS;
import static io.tidemark.server.RpcCases.bytes;
import static io.tidemark.server.RpcCases.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AuthDisableRequest;
import io.tidemark.api.etcdserverpb.AuthEnableRequest;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserChangePasswordRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.api.etcdserverpb.AuthenticateRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.server.RpcCases.Case;
import io.tidemark.server.RpcCases.Needs;
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
  private static final String EMPTY_USER = text(EtcdError.USER_EMPTY);
  private static final String BAD_TOKEN = text(EtcdError.INVALID_AUTH_TOKEN);
  private static final String DENIED = text(EtcdError.PERMISSION_DENIED);

  private static final Set<Needs> JUST = Set.of(Needs.KEYS, Needs.RECIPE_KEYS, Needs.OWN);

  @TempDir static Path data;

  private static LoneMember lone;

  @BeforeAll
  static void start() throws Exception {
    lone = LoneMember.start(data, "--bcrypt-cost=4");
  }

  @AfterAll
  static void stop() {
    lone.close();
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
    for (Case call : RpcCases.all()) {
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

    List<Case> all = new ArrayList<>(RpcCases.all());
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
    assertEquals(OK, outcome(RpcCases.keys().get(0), "nonsense"));
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
