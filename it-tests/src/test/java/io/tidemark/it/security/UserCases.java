package io.tidemark.it.security;

import static io.tidemark.it.security.RpcCases.OK;
import static io.tidemark.it.security.RpcCases.text;

import io.tidemark.api.errors.EtcdError;
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
import io.tidemark.it.security.RpcCases.Case;
import io.tidemark.it.security.RpcCases.Needs;
import java.util.List;

/** Calls about users and roles, but for those that turn authentication on and off. */
final class UserCases {
  private UserCases() {}

  static List<Case> all() {
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
