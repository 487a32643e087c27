package io.tidemark.server.auth;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.Status;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.authpb.Role;
import io.tidemark.api.authpb.User;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AuthDisableRequest;
import io.tidemark.api.etcdserverpb.AuthEnableRequest;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthRoleDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGetRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGetResponse;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthRoleListRequest;
import io.tidemark.api.etcdserverpb.AuthRoleListResponse;
import io.tidemark.api.etcdserverpb.AuthRoleRevokePermissionRequest;
import io.tidemark.api.etcdserverpb.AuthStatusRequest;
import io.tidemark.api.etcdserverpb.AuthStatusResponse;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserChangePasswordRequest;
import io.tidemark.api.etcdserverpb.AuthUserDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthUserGetRequest;
import io.tidemark.api.etcdserverpb.AuthUserGetResponse;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.api.etcdserverpb.AuthUserListRequest;
import io.tidemark.api.etcdserverpb.AuthUserListResponse;
import io.tidemark.api.etcdserverpb.AuthUserRevokeRoleRequest;
import io.tidemark.api.etcdserverpb.AuthenticateRequest;
import io.tidemark.server.access.Admission;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Reads;
import io.tidemark.server.access.Right;
import io.tidemark.server.access.Writes;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.SingleRequest;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.auth.AuthChange;
import io.tidemark.statemachine.auth.AuthState;
import java.util.Base64;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * {@code etcdserverpb.Auth}. Changes go through the log; questions are answered from this member's
 * state behind a read barrier. A password is hashed before it goes anywhere, and only for callers
 * who may set one.
 */
public final class AuthService {
  private static final Permission EVERYTHING =
      Permission.newBuilder()
          .setPermType(Permission.Type.READWRITE)
          .setRangeEnd(ByteString.copyFrom(new byte[1]))
          .build();

  private final Guard guard;
  private final Reads reads;
  private final Writes writes;
  private final ReadLanes lanes;
  private final Headers headers;
  private final Login login;

  /**
   * @param login what the configuration chose for passwords and tokens
   */
  public AuthService(
      Guard guard, Reads reads, Writes writes, ReadLanes lanes, Headers headers, Login login) {
    this.guard = guard;
    this.reads = reads;
    this.writes = writes;
    this.lanes = lanes;
    this.headers = headers;
    this.login = login;
  }

  public void register(Methods methods) {
    Logins logins = new Logins(guard, reads, login.passwords(), login.issuer(writes, headers));
    methods
        .add(AuthGrpc.getAuthenticateMethod(), AuthenticateRequest.parser(), logins::authenticate)
        .add(AuthGrpc.getAuthStatusMethod(), AuthStatusRequest.parser(), this::status)
        .add(AuthGrpc.getUserAddMethod(), AuthUserAddRequest.parser(), this::userAdd)
        .add(AuthGrpc.getUserGetMethod(), AuthUserGetRequest.parser(), this::userGet)
        .add(AuthGrpc.getUserListMethod(), AuthUserListRequest.parser(), this::userList)
        .add(
            AuthGrpc.getUserChangePasswordMethod(),
            AuthUserChangePasswordRequest.parser(),
            this::changePassword)
        .add(AuthGrpc.getRoleGetMethod(), AuthRoleGetRequest.parser(), this::roleGet)
        .add(AuthGrpc.getRoleListMethod(), AuthRoleListRequest.parser(), this::roleList);
    methods
        .add(
            AuthGrpc.getAuthEnableMethod(),
            AuthEnableRequest.parser(),
            change(request -> new AuthChange.Enable()))
        .add(
            AuthGrpc.getAuthDisableMethod(),
            AuthDisableRequest.parser(),
            change(request -> new AuthChange.Disable()))
        .add(
            AuthGrpc.getUserDeleteMethod(),
            AuthUserDeleteRequest.parser(),
            change(AuthChange.UserDelete::new))
        .add(
            AuthGrpc.getUserGrantRoleMethod(),
            AuthUserGrantRoleRequest.parser(),
            change(AuthChange.UserGrantRole::new))
        .add(
            AuthGrpc.getUserRevokeRoleMethod(),
            AuthUserRevokeRoleRequest.parser(),
            change(AuthChange.UserRevokeRole::new))
        .add(
            AuthGrpc.getRoleAddMethod(),
            AuthRoleAddRequest.parser(),
            change(AuthChange.RoleAdd::new))
        .add(
            AuthGrpc.getRoleDeleteMethod(),
            AuthRoleDeleteRequest.parser(),
            change(AuthChange.RoleDelete::new))
        .add(
            AuthGrpc.getRoleGrantPermissionMethod(),
            AuthRoleGrantPermissionRequest.parser(),
            change(AuthChange.RoleGrantPermission::new))
        .add(
            AuthGrpc.getRoleRevokePermissionMethod(),
            AuthRoleRevokePermissionRequest.parser(),
            change(AuthChange.RoleRevokePermission::new));
  }

  private <Q> SingleRequest<Q> change(Function<Q, AuthChange> change) {
    return (request, reply) -> {
      if (!gated(reply)) {
        writes.propose(new Command.Auth(change.apply(request)), reply);
      }
    };
  }

  private void userAdd(AuthUserAddRequest request, Reply reply) {
    AuthUserAddRequest plain = request.toBuilder().clearPassword().clearHashedPassword().build();
    if (request.getOptions().getNoPassword()) {
      this.<AuthUserAddRequest>change(AuthChange.UserAdd::new).answer(plain, reply);
      return;
    }
    hashed(
        request.getPassword(),
        reply,
        hash -> new AuthChange.UserAdd(plain.toBuilder().setHashedPassword(hash).build()));
  }

  private void changePassword(AuthUserChangePasswordRequest request, Reply reply) {
    AuthUserChangePasswordRequest plain =
        request.toBuilder().clearPassword().clearHashedPassword().build();
    hashed(
        request.getPassword(),
        reply,
        hash ->
            new AuthChange.UserChangePassword(plain.toBuilder().setHashedPassword(hash).build()));
  }

  /** Proposes a change with the hash of a password, in base 64. */
  private void hashed(String password, Reply reply, Function<String, AuthChange> change) {
    if (gated(reply)) {
      return;
    }
    guard.passWrite(
        reply,
        Right.ADMIN,
        caller -> {
          try {
            login
                .passwords()
                .lane()
                .execute(() -> Reads.guarded(reply, () -> propose(password, reply, change)));
          } catch (RejectedExecutionException full) {
            reply.fail(EtcdError.TOO_MANY_REQUESTS);
          }
        });
  }

  /** Thread: passwords. */
  private void propose(String password, Reply reply, Function<String, AuthChange> change) {
    if (!Passwords.isShortEnough(password)) {
      reply.fail(Status.UNKNOWN.withDescription("bcrypt: password length exceeds 72 bytes"));
      return;
    }
    String hash =
        Base64.getEncoder().encodeToString(login.passwords().hash(password).toByteArray());
    writes.propose(new Command.Auth(change.apply(hash)), reply);
  }

  private void status(AuthStatusRequest request, Reply reply) {
    answer(
        reply,
        Right.NONE,
        (state, revision) ->
            reply.send(
                spliced(
                    AuthStatusResponse.newBuilder()
                        .setHeader(headers.message(revision))
                        .setEnabled(state.enabled())
                        .setAuthRevision(state.revision())
                        .build())));
  }

  private void userGet(AuthUserGetRequest request, Reply reply) {
    answer(
        reply,
        permissions -> permissions.userGet(request.getName()),
        (state, revision) -> {
          User user = state.user(request.getName());
          if (user == null) {
            reply.fail(EtcdError.USER_NOT_FOUND);
            return;
          }
          reply.send(
              spliced(
                  AuthUserGetResponse.newBuilder()
                      .setHeader(headers.message(revision))
                      .addAllRoles(user.getRolesList())
                      .build()));
        });
  }

  private void userList(AuthUserListRequest request, Reply reply) {
    answer(
        reply,
        Right.ADMIN,
        (state, revision) ->
            reply.send(
                spliced(
                    AuthUserListResponse.newBuilder()
                        .setHeader(headers.message(revision))
                        .addAllUsers(state.userNames())
                        .build())));
  }

  private void roleGet(AuthRoleGetRequest request, Reply reply) {
    answer(
        reply,
        permissions -> permissions.roleGet(request.getRole()),
        (state, revision) -> {
          Role role = state.role(request.getRole());
          if (role == null) {
            reply.fail(EtcdError.ROLE_NOT_FOUND);
            return;
          }
          AuthRoleGetResponse.Builder response =
              AuthRoleGetResponse.newBuilder().setHeader(headers.message(revision));
          if (request.getRole().equals(AuthState.ROOT)) {
            response.addPerm(EVERYTHING);
          } else {
            response.addAllPerm(role.getKeyPermissionList());
          }
          reply.send(spliced(response.build()));
        });
  }

  private void roleList(AuthRoleListRequest request, Reply reply) {
    answer(
        reply,
        Right.ADMIN,
        (state, revision) ->
            reply.send(
                spliced(
                    AuthRoleListResponse.newBuilder()
                        .setHeader(headers.message(revision))
                        .addAllRoles(state.roleNames())
                        .build())));
  }

  /** Answers from one state: the one that allows the question also holds the answer. */
  private void answer(Reply reply, Right right, Answer answer) {
    if (gated(reply)) {
      return;
    }
    reads.afterBarrier(
        true,
        lanes.quick(),
        reply,
        () -> {
          Admission admission = guard.admit(reply, right);
          if (admission.refusal() != null) {
            reply.fail(admission.refusal());
          } else {
            answer.give(admission.state(), reads.revision());
          }
        });
  }

  private boolean gated(Reply reply) {
    EtcdError refusal = guard.gate().refusal(reply.headers());
    if (refusal != null) {
      reply.fail(refusal);
    }
    return refusal != null;
  }

  private static Spliced spliced(MessageLite message) {
    return Spliced.of(message.toByteString());
  }

  @FunctionalInterface
  private interface Answer {
    void give(AuthState state, long revision);
  }
}
