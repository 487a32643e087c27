package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.authpb.UserAddOptions;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AuthEnableRequest;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.api.etcdserverpb.AuthenticateRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** JSON web tokens and client certificates, through the port of a member. */
final class OtherCredentialsTest {
  @TempDir Path data;

  private static void setUp(Channel channel, String user) {
    AuthGrpc.AuthBlockingStub auth = AuthGrpc.newBlockingStub(channel);
    for (String name : new String[] {"root", user}) {
      var added =
          auth.userAdd(AuthUserAddRequest.newBuilder().setName(name).setPassword(name).build());
    }
    var role = auth.roleAdd(AuthRoleAddRequest.newBuilder().setName("keys").build());
    grant(channel, "k");
    hold(auth, "root", "root");
    hold(auth, user, "keys");
    var enabled = auth.authEnable(AuthEnableRequest.getDefaultInstance());
  }

  private static void hold(AuthGrpc.AuthBlockingStub auth, String user, String role) {
    var unused =
        auth.userGrantRole(
            AuthUserGrantRoleRequest.newBuilder().setUser(user).setRole(role).build());
  }

  private static void grant(Channel channel, String key) {
    var unused =
        AuthGrpc.newBlockingStub(channel)
            .roleGrantPermission(
                AuthRoleGrantPermissionRequest.newBuilder()
                    .setName("keys")
                    .setPerm(
                        Permission.newBuilder()
                            .setPermType(Permission.Type.READWRITE)
                            .setKey(ByteString.copyFromUtf8(key)))
                    .build());
  }

  private static Channel login(Channel channel, String user) {
    String token =
        AuthGrpc.newBlockingStub(channel)
            .authenticate(AuthenticateRequest.newBuilder().setName(user).setPassword(user).build())
            .getToken();
    return with(channel, "authorization", "Bearer " + token);
  }

  private static Channel with(Channel channel, String name, String value) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private static void put(Channel channel, String key) {
    var unused =
        KVGrpc.newBlockingStub(channel)
            .put(PutRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)).build());
  }

  private static void refused(EtcdError error, Executable call) {
    StatusRuntimeException refused = assertThrows(StatusRuntimeException.class, call);
    assertEquals(error.code(), refused.getStatus().getCode().value());
    assertEquals(error.message(), refused.getStatus().getDescription());
  }

  @Test
  void aJsonWebTokenHoldsUntilUsersOrRolesChange() throws Exception {
    Path secret = Files.write(data.resolve("secret"), new byte[32]);
    try (LoneMember lone =
        LoneMember.start(
            data.resolve("member"),
            "--bcrypt-cost=4",
            "--auth-token=jwt,sign-method=HS256,priv-key=" + secret)) {
      setUp(lone.channel, "ann");
      Channel ann = login(lone.channel, "ann");
      put(ann, "k");
      refused(EtcdError.PERMISSION_DENIED, () -> put(ann, "x"));
      Channel root = login(lone.channel, "root");
      grant(root, "x");
      refused(EtcdError.AUTH_OLD_REVISION, () -> put(ann, "k"));
      put(login(lone.channel, "ann"), "x");
      grant(root, "y");
      refused(EtcdError.INVALID_AUTH_TOKEN, () -> put(with(lone.channel, "token", "a.b.c"), "k"));
      refused(EtcdError.USER_EMPTY, () -> put(lone.channel, "k"));
    }
  }

  private static File tls(String name) throws Exception {
    return Path.of(
            Objects.requireNonNull(OtherCredentialsTest.class.getResource("/tls/" + name)).toURI())
        .toFile();
  }

  @Test
  void theNameInAClientCertificateIsAUser() throws Exception {
    try (LoneMember lone =
        LoneMember.start(
            data,
            "--bcrypt-cost=4",
            "--listen-client-urls=https://127.0.0.1:0",
            "--advertise-client-urls=https://127.0.0.1:2379",
            "--cert-file=" + tls("rsa.crt"),
            "--key-file=" + tls("rsa-pkcs8.key"),
            "--trusted-ca-file=" + tls("ca.crt"),
            "--client-cert-auth=true")) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", lone.member.clientPorts().get(0))
              .overrideAuthority("localhost")
              .sslContext(
                  GrpcSslContexts.forClient()
                      .trustManager(tls("ca.crt"))
                      .keyManager(tls("client.crt"), tls("client.key"))
                      .build())
              .build();
      try {
        setUp(channel, "client");
        put(channel, "k");
        refused(EtcdError.PERMISSION_DENIED, () -> put(channel, "x"));
        // A token goes before the certificate; a gateway speaks for others.
        put(login(channel, "root"), "x");
        refused(EtcdError.INVALID_AUTH_TOKEN, () -> put(with(channel, "token", "a.1"), "k"));
        refused(EtcdError.USER_EMPTY, () -> put(with(channel, "grpcgateway-accept", "*"), "k"));
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void aUserWithoutPasswordCannotLogIn() throws Exception {
    try (LoneMember lone = LoneMember.start(data, "--bcrypt-cost=4")) {
      AuthGrpc.AuthBlockingStub auth = AuthGrpc.newBlockingStub(lone.channel);
      var added =
          auth.userAdd(
              AuthUserAddRequest.newBuilder()
                  .setName("certified")
                  .setPassword("ignored")
                  .setOptions(UserAddOptions.newBuilder().setNoPassword(true))
                  .build());
      setUp(lone.channel, "ann");
      StatusRuntimeException refused =
          assertThrows(StatusRuntimeException.class, () -> login(lone.channel, "certified"));
      assertEquals(
          "UNKNOWN: auth: authentication failed, password was given for no password user",
          refused.getMessage());
      refused(EtcdError.AUTH_FAILED, () -> login(lone.channel, "nobody"));
      StatusRuntimeException tooLong =
          assertThrows(
              StatusRuntimeException.class,
              () ->
                  AuthGrpc.newBlockingStub(login(lone.channel, "root"))
                      .userAdd(
                          AuthUserAddRequest.newBuilder()
                              .setName("long")
                              .setPassword("x".repeat(73))
                              .build()));
      assertEquals("UNKNOWN: bcrypt: password length exceeds 72 bytes", tooLong.getMessage());
    }
  }
}
