package io.tidemark.it.security;

import static io.tidemark.it.security.RpcCases.OK;
import static io.tidemark.it.security.RpcCases.bytes;
import static io.tidemark.it.security.RpcCases.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.MessageLite;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AuthDisableRequest;
import io.tidemark.api.etcdserverpb.AuthEnableRequest;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthenticateRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.healthpb.HealthGrpc;
import io.tidemark.api.v3electionpb.ElectionGrpc;
import io.tidemark.it.security.RpcCases.Case;
import io.tidemark.it.security.RpcCases.Needs;
import io.tidemark.testkit.TidemarkMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Every call to one member, by everybody. Tables of several members may be gone through at once.
 */
final class RightsTable {
  private static final String EMPTY_USER = text(EtcdError.USER_EMPTY);
  private static final String BAD_TOKEN = text(EtcdError.INVALID_AUTH_TOKEN);
  private static final String DENIED = text(EtcdError.PERMISSION_DENIED);

  private static final Set<Needs> JUST = Set.of(Needs.KEYS, Needs.RECIPE_KEYS, Needs.OWN);

  /** Calls that go on for ever; their first reply is the outcome. */
  private static final Set<MethodDescriptor<?, ?>> ENDLESS =
      Set.of(ElectionGrpc.getObserveMethod(), HealthGrpc.getWatchMethod());

  static final Case LOGIN =
      new Case(
          "Authenticate",
          AuthGrpc.getAuthenticateMethod(),
          AuthenticateRequest.newBuilder().setName("enough").setPassword("enough-pw").build(),
          Needs.NOTHING,
          OK);

  static final Case ENABLE =
      new Case(
          "AuthEnable",
          AuthGrpc.getAuthEnableMethod(),
          AuthEnableRequest.getDefaultInstance(),
          Needs.ROOT,
          OK);

  static final Case DISABLE =
      new Case(
          "AuthDisable",
          AuthGrpc.getAuthDisableMethod(),
          AuthDisableRequest.getDefaultInstance(),
          Needs.ROOT,
          OK);

  private final TidemarkMember member;
  private final Channel channel;
  private final List<Case> cases;

  /**
   * Who calls, by his token.
   *
   * @param unsound tokens of nobody: made up, or ended
   */
  record Tokens(String root, String enough, String other, List<String> unsound) {}

  RightsTable(TidemarkMember member, ManagedChannel channel) {
    this.member = member;
    this.channel = channel;
    this.cases = RpcCases.all(member.peerEndpoint().toString());
  }

  private Channel with(String token) {
    return token.isEmpty() ? channel : Everybody.with(channel, token);
  }

  /**
   * How the call ends. One call depends on who leads, which may change on a busy machine: of a
   * member that followed all the while, its refusal is the expected answer.
   */
  String outcome(Case call, String token) {
    if (!call.method().equals(MaintenanceGrpc.getMoveLeaderMethod())) {
      return once(call, token);
    }
    while (true) {
      boolean led = member.isLeader();
      String outcome = once(call, token);
      if (led == member.isLeader()) {
        return led ? outcome : asOfALeader(outcome, call.allowed());
      }
    }
  }

  private static String asOfALeader(String outcome, String allowed) {
    if (outcome.equals(text(EtcdError.NOT_LEADER))) {
      return allowed;
    }
    return outcome.equals(allowed) ? "taken by a follower" : outcome;
  }

  @SuppressWarnings("unchecked")
  private String once(Case call, String token) {
    MethodDescriptor<MessageLite, Object> method =
        (MethodDescriptor<MessageLite, Object>) (MethodDescriptor<?, ?>) call.method();
    try {
      if (ENDLESS.contains(call.method())) {
        var first = Conversation.opening(with(token), method, call.request());
      } else {
        var replies = Conversation.whole(with(token), method, call.request());
      }
      return OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() + " " + e.getStatus().getDescription();
    }
  }

  private String named(Case call, String who) {
    return member + ": " + call.name() + ", " + who;
  }

  void goThroughWithAuthenticationOff() {
    for (Case call : cases) {
      assertEquals(call.allowed(), outcome(call, ""), named(call, "authentication off"));
      assertEquals(call.allowed(), outcome(call, "x.1"), named(call, "off, with a token"));
    }
    assertEquals(text(EtcdError.AUTH_NOT_ENABLED), outcome(LOGIN, ""), member.toString());
  }

  void goThrough(Tokens tokens) {
    List<Case> all = new ArrayList<>(cases);
    all.add(LOGIN);
    all.add(ENABLE);
    all.forEach(call -> byEverybody(call, tokens));
    watches(tokens);
    leases(tokens);
    assertEquals(EMPTY_USER, outcome(DISABLE, ""), member.toString());
    for (String token : tokens.unsound()) {
      assertEquals(BAD_TOKEN, outcome(DISABLE, token), named(DISABLE, token));
    }
    assertEquals(DENIED, outcome(DISABLE, tokens.enough()), member.toString());
  }

  private void byEverybody(Case call, Tokens tokens) {
    Needs needs = call.needs();
    boolean open = needs == Needs.NOTHING || needs == Needs.SOUND_TOKEN;
    assertEquals(
        open ? call.allowed() : refusal(needs, EMPTY_USER),
        outcome(call, ""),
        named(call, "no token"));
    String unsound = needs == Needs.NOTHING ? call.allowed() : refusal(needs, BAD_TOKEN);
    for (String token : tokens.unsound()) {
      assertEquals(unsound, outcome(call, token), named(call, "token " + token));
    }
    boolean anybody = open || needs == Needs.ANY_USER;
    String denied = refusal(needs, DENIED);
    assertEquals(
        anybody ? call.allowed() : denied,
        outcome(call, tokens.other()),
        named(call, "other role"));
    assertEquals(
        anybody || JUST.contains(needs) ? call.allowed() : denied,
        outcome(call, tokens.enough()),
        named(call, "just enough"));
    assertEquals(call.allowed(), outcome(call, tokens.root()), named(call, "root"));
    assertEquals(
        call.allowed(), outcome(call, "Bearer " + tokens.root()), named(call, "root as bearer"));
  }

  private static String refusal(Needs needs, String text) {
    return needs == Needs.RECIPE_KEYS ? "UNKNOWN" + text.substring(text.indexOf(' ')) : text;
  }

  private String watch(String token, String key, String end) {
    WatchCreateRequest create =
        WatchCreateRequest.newBuilder().setKey(bytes(key)).setRangeEnd(bytes(end)).build();
    WatchResponse first =
        Conversation.opening(
            with(token),
            WatchGrpc.getWatchMethod(),
            WatchRequest.newBuilder().setCreateRequest(create).build());
    assertEquals(true, first.getCreated());
    assertEquals(first.getCanceled() ? -1 : 0, first.getWatchId());
    return first.getCanceled() ? first.getCancelReason() : OK;
  }

  private void watches(Tokens tokens) {
    String denied = "rpc error: code = PermissionDenied desc = etcdserver: permission denied";
    assertEquals(
        "rpc error: code = InvalidArgument desc = etcdserver: user name is empty",
        watch("", "k", ""));
    for (String token : tokens.unsound()) {
      assertEquals(
          "rpc error: code = Unauthenticated desc = etcdserver: invalid auth token",
          watch(token, "k", ""));
    }
    assertEquals(denied, watch(tokens.other(), "k", ""));
    assertEquals(denied, watch(tokens.enough(), "k", "\0"));
    assertEquals(denied, watch(tokens.enough(), "", ""));
    assertEquals(denied, watch(tokens.enough(), "", "\0"));
    assertEquals(OK, watch(tokens.enough(), "k", ""));
    assertEquals(OK, watch(tokens.enough(), "k", "m"));
    assertEquals(OK, watch(tokens.enough(), "y", "\0"));
    assertEquals(OK, watch(tokens.root(), "", "\0"));
  }

  /** Renewing and ending a lease of this table: questions of the keys on it. */
  private void leases(Tokens tokens) {
    long id = 100 + member.index();
    var lease =
        LeaseGrpc.newBlockingStub(with(tokens.root()))
            .leaseGrant(LeaseGrantRequest.newBuilder().setID(id).setTTL(600).build());
    var attached =
        KVGrpc.newBlockingStub(with(tokens.root()))
            .put(PutRequest.newBuilder().setKey(bytes("kl" + id)).setLease(id).build());
    Case alive =
        new Case(
            "LeaseKeepAlive",
            LeaseGrpc.getLeaseKeepAliveMethod(),
            LeaseKeepAliveRequest.newBuilder().setID(id).build(),
            Needs.KEYS,
            OK);
    Case revoke =
        new Case(
            "LeaseRevoke",
            LeaseGrpc.getLeaseRevokeMethod(),
            LeaseRevokeRequest.newBuilder().setID(id).build(),
            Needs.KEYS,
            OK);
    for (Case call : List.of(alive, revoke)) {
      assertEquals(EMPTY_USER, outcome(call, ""), named(call, "no token"));
      for (String token : tokens.unsound()) {
        assertEquals(BAD_TOKEN, outcome(call, token), named(call, "token " + token));
      }
      assertEquals(DENIED, outcome(call, tokens.other()), named(call, "other role"));
    }
    assertEquals(OK, outcome(alive, tokens.root()));
    assertEquals(OK, outcome(alive, tokens.enough()));
    assertEquals(OK, outcome(revoke, tokens.enough()));
    assertEquals(text(EtcdError.LEASE_NOT_FOUND), outcome(revoke, tokens.root()));
  }
}
