package io.tidemark.statemachine.testing;

import com.google.protobuf.ByteString;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.authpb.UserAddOptions;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthRoleDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthRoleRevokePermissionRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserChangePasswordRequest;
import io.tidemark.api.etcdserverpb.AuthUserDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.api.etcdserverpb.AuthUserRevokeRoleRequest;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.auth.AuthChange;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Changes of users and roles in few words. */
public final class AuthChanges {
  private AuthChanges() {}

  public static Command enable() {
    return new Command.Auth(new AuthChange.Enable());
  }

  public static Command disable() {
    return new Command.Auth(new AuthChange.Disable());
  }

  /**
   * @param hash what stands for the password's hash
   */
  public static Command userAdd(String name, String hash) {
    return new Command.Auth(
        new AuthChange.UserAdd(
            AuthUserAddRequest.newBuilder().setName(name).setHashedPassword(base64(hash)).build()));
  }

  public static Command userWithoutPassword(String name) {
    return new Command.Auth(
        new AuthChange.UserAdd(
            AuthUserAddRequest.newBuilder()
                .setName(name)
                .setOptions(UserAddOptions.newBuilder().setNoPassword(true))
                .build()));
  }

  public static Command userDelete(String name) {
    return new Command.Auth(
        new AuthChange.UserDelete(AuthUserDeleteRequest.newBuilder().setName(name).build()));
  }

  public static Command passwd(String name, String hash) {
    return new Command.Auth(
        new AuthChange.UserChangePassword(
            AuthUserChangePasswordRequest.newBuilder()
                .setName(name)
                .setHashedPassword(base64(hash))
                .build()));
  }

  public static Command grantRole(String user, String role) {
    return new Command.Auth(
        new AuthChange.UserGrantRole(
            AuthUserGrantRoleRequest.newBuilder().setUser(user).setRole(role).build()));
  }

  public static Command revokeRole(String user, String role) {
    return new Command.Auth(
        new AuthChange.UserRevokeRole(
            AuthUserRevokeRoleRequest.newBuilder().setName(user).setRole(role).build()));
  }

  public static Command roleAdd(String name) {
    return new Command.Auth(
        new AuthChange.RoleAdd(AuthRoleAddRequest.newBuilder().setName(name).build()));
  }

  public static Command roleDelete(String name) {
    return new Command.Auth(
        new AuthChange.RoleDelete(AuthRoleDeleteRequest.newBuilder().setRole(name).build()));
  }

  public static Command grant(String role, Permission.Type type, String key, String end) {
    return new Command.Auth(
        new AuthChange.RoleGrantPermission(
            AuthRoleGrantPermissionRequest.newBuilder()
                .setName(role)
                .setPerm(permission(type, key, end))
                .build()));
  }

  public static Command grantNothing(String role) {
    return new Command.Auth(
        new AuthChange.RoleGrantPermission(
            AuthRoleGrantPermissionRequest.newBuilder().setName(role).build()));
  }

  public static Command revoke(String role, String key, String end) {
    return new Command.Auth(
        new AuthChange.RoleRevokePermission(
            AuthRoleRevokePermissionRequest.newBuilder()
                .setRole(role)
                .setKey(ByteString.copyFromUtf8(key))
                .setRangeEnd(ByteString.copyFromUtf8(end))
                .build()));
  }

  public static Command login(String user, String letters, long authRevision) {
    return new Command.Auth(new AuthChange.IssueToken(user, letters, authRevision));
  }

  public static Permission permission(Permission.Type type, String key, String end) {
    return Permission.newBuilder()
        .setPermType(type)
        .setKey(ByteString.copyFromUtf8(key))
        .setRangeEnd(ByteString.copyFromUtf8(end))
        .build();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
