package io.tidemark.it.security;

import com.google.protobuf.ByteString;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.etcdserverpb.AuthDisableRequest;
import io.tidemark.api.etcdserverpb.AuthEnableRequest;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.it.client.MemberClient;

/** Users and roles in few words. The password of each user is his name. */
final class Accounts {
  private Accounts() {}

  static void user(MemberClient client, String name, String... roles) {
    AuthGrpc.AuthBlockingStub auth = client.auth();
    var added =
        auth.userAdd(AuthUserAddRequest.newBuilder().setName(name).setPassword(name).build());
    for (String role : roles) {
      var granted =
          auth.userGrantRole(
              AuthUserGrantRoleRequest.newBuilder().setUser(name).setRole(role).build());
    }
  }

  /** A role that reads and writes {@code [key, end)}. */
  static void role(MemberClient client, String name, String key, String end) {
    AuthGrpc.AuthBlockingStub auth = client.auth();
    var added = auth.roleAdd(AuthRoleAddRequest.newBuilder().setName(name).build());
    grant(client, name, key, end);
  }

  static void grant(MemberClient client, String role, String key, String end) {
    var granted =
        client
            .auth()
            .roleGrantPermission(
                AuthRoleGrantPermissionRequest.newBuilder()
                    .setName(role)
                    .setPerm(
                        Permission.newBuilder()
                            .setPermType(Permission.Type.READWRITE)
                            .setKey(ByteString.copyFromUtf8(key))
                            .setRangeEnd(ByteString.copyFromUtf8(end)))
                    .build());
  }

  static void enable(MemberClient client) {
    var enabled = client.auth().authEnable(AuthEnableRequest.getDefaultInstance());
  }

  static void disable(MemberClient client) {
    var disabled = client.auth().authDisable(AuthDisableRequest.getDefaultInstance());
  }
}
