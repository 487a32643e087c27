package io.tidemark.it.security;

import static io.tidemark.it.security.RpcCases.OURS;
import static io.tidemark.it.security.RpcCases.bytes;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.api.etcdserverpb.AuthenticateRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import java.util.List;
import java.util.Map;

/**
 * Who calls: root; {@code enough}, who may read and write {@code [k, m)} and read all from {@code
 * y} on; {@code other}, who may read and write {@code [a, k)}; {@code ended}, who may nothing.
 */
final class Everybody {
  static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

  private Everybody() {}

  /** Users and roles, and a lease with a key, of a member without authentication. */
  static void setUp(Channel channel) {
    var lease =
        LeaseGrpc.newBlockingStub(channel)
            .leaseGrant(LeaseGrantRequest.newBuilder().setID(OURS).setTTL(100_000).build());
    var attached =
        KVGrpc.newBlockingStub(channel)
            .put(PutRequest.newBuilder().setKey(bytes("kleased")).setLease(OURS).build());
    AuthGrpc.AuthBlockingStub auth = AuthGrpc.newBlockingStub(channel);
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

  /** A channel whose calls carry a token. */
  static Channel with(Channel channel, String token) {
    Metadata headers = new Metadata();
    headers.put(TOKEN, token);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  static String login(Channel channel, String user) {
    return AuthGrpc.newBlockingStub(channel)
        .authenticate(
            AuthenticateRequest.newBuilder().setName(user).setPassword(user + "-pw").build())
        .getToken();
  }
}
