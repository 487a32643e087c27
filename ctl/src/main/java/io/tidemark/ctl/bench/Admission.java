package io.tidemark.ctl.bench;

import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.tidemark.api.etcdserverpb.AuthEnableRequest;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.api.etcdserverpb.AuthenticateRequest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/**
 * How a load gets in at an endpoint.
 *
 * @param tls under TLS, whatever certificate is shown: the load is to be measured, and the members
 *     are its own
 * @param user who signs in, once for all connections to the endpoint; empty for nobody
 */
public record Admission(boolean tls, String user, String password) {
  /** In plain text, as nobody. */
  public static final Admission OPEN = new Admission(false, "", "");

  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

  private static final String ALL_RIGHTS = "root";
  private static final long SIGN_IN_SECONDS = 10;

  /** The same before anybody has signed in. */
  public Admission unsigned() {
    return new Admission(tls, "", "");
  }

  /**
   * Makes the user in a cluster that has none, gives it all rights, and switches authentication on;
   * blocks. Failure: {@link LoadFailure}.
   */
  public void demand(Endpoint endpoint) {
    Target open = new Target(List.of(endpoint.by(unsigned())), 1, 1);
    try (Connections connections = new Connections(open)) {
      AuthGrpc.AuthBlockingStub auth =
          AuthGrpc.newBlockingStub(connections.channel(0, 0))
              .withDeadlineAfter(SIGN_IN_SECONDS, TimeUnit.SECONDS);
      var unused =
          auth.userAdd(AuthUserAddRequest.newBuilder().setName(user).setPassword(password).build());
      var role = auth.roleAdd(AuthRoleAddRequest.newBuilder().setName(ALL_RIGHTS).build());
      var grant =
          auth.userGrantRole(
              AuthUserGrantRoleRequest.newBuilder().setUser(user).setRole(ALL_RIGHTS).build());
      var enabled = auth.authEnable(AuthEnableRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      throw new LoadFailure(endpoint + ": " + ClosedLoop.textOf(e.getStatus()), e);
    }
  }

  /** What a channel has to know before it is built. */
  void secure(NettyChannelBuilder channel) {
    if (!tls) {
      channel.usePlaintext();
      return;
    }
    try {
      channel.sslContext(
          GrpcSslContexts.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE).build());
    } catch (SSLException e) {
      throw new LoadFailure("preparing TLS: " + e.getMessage(), e);
    }
  }

  /**
   * Signs in through the first of some channels; blocks. All calls through them carry the token.
   */
  List<Channel> signIn(List<? extends Channel> channels) {
    if (user.isEmpty()) {
      return List.copyOf(channels);
    }
    AuthenticateRequest request =
        AuthenticateRequest.newBuilder().setName(user).setPassword(password).build();
    Metadata headers = new Metadata();
    headers.put(
        TOKEN,
        AuthGrpc.newBlockingStub(channels.get(0))
            .withDeadlineAfter(SIGN_IN_SECONDS, TimeUnit.SECONDS)
            .authenticate(request)
            .getToken());
    ClientInterceptor token = MetadataUtils.newAttachHeadersInterceptor(headers);
    return channels.stream().map(channel -> ClientInterceptors.intercept(channel, token)).toList();
  }
}
