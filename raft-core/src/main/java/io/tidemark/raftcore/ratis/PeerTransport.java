package io.tidemark.raftcore.ratis;

import io.tidemark.clusterconfig.HostPort;
import io.tidemark.clusterconfig.tls.LiveCertificates;
import io.tidemark.clusterconfig.tls.LoggedRenewals;
import io.tidemark.clusterconfig.tls.TlsSettings;
import io.tidemark.raftcore.settings.PeerRoutes;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.List;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.ClientAuth;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContextBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.jspecify.annotations.Nullable;

/**
 * How members talk: in plain text, or under TLS with certificates that follow their files. The same
 * for Ratis's connections and for ours, for those that come and those that go.
 *
 * <p>Who dials compares the certificate with the host of the peer URL, shows its own, and believes
 * only what the trusted authorities signed. Thread-safe.
 */
public final class PeerTransport implements AutoCloseable {
  private final @Nullable Secured secured;

  /** Managers and contexts of a transport under TLS. */
  private record Secured(
      LiveCertificates certificates,
      GrpcTlsConfig ratis,
      SslContext dialling,
      SslContext serving) {}

  /**
   * Reads the certificates; blocks on them.
   *
   * @throws IOException when they can't be used
   */
  public PeerTransport(RaftMemberSettings settings) throws IOException {
    TlsSettings tls = settings.peerTls();
    this.secured = tls == null ? null : secure(settings.name(), tls);
  }

  /** Opens a channel to where a target of the address book leads. */
  ManagedChannel open(String target) {
    return finish(NettyChannelBuilder.forTarget(target));
  }

  /** Opens a channel to whoever listens on a peer URL. */
  public ManagedChannel open(URI peerUrl, PeerRoutes routes) {
    return finish(
        NettyChannelBuilder.forAddress(AddressBook.address(peerUrl, routes))
            .overrideAuthority(HostPort.of(peerUrl).host()));
  }

  /** What Ratis's own channels need; null for plain text. */
  @Nullable GrpcTlsConfig ratis() {
    return secured == null ? null : secured.ratis();
  }

  /** Puts a server that is being built under TLS, if that is how members talk. */
  NettyServerBuilder secure(NettyServerBuilder builder) {
    return secured == null ? builder : builder.sslContext(secured.serving());
  }

  @Override
  public void close() {
    if (secured != null) {
      secured.certificates().close();
    }
  }

  private ManagedChannel finish(NettyChannelBuilder builder) {
    builder.proxyDetector(address -> null).disableRetry();
    if (secured == null) {
      return builder.usePlaintext().build();
    }
    return builder.sslContext(secured.dialling()).build();
  }

  private static Secured secure(String member, TlsSettings tls) throws IOException {
    LiveCertificates certificates =
        new LiveCertificates(
            "tidemark-" + member + "-peer-tls", tls.files(), new LoggedRenewals("peer port"));
    try {
      List<String> suites = tls.enabledSuites();
      GrpcTlsConfig.Builder ratis =
          GrpcTlsConfig.newBuilder()
              .setKeyManager(certificates.keys())
              .setTrustManager(certificates.trust())
              .setMutualTls(true) // shown to whoever asks
              .setSslProvider(SslProvider.JDK)
              .setProtocols(tls.protocols());
      if (!suites.isEmpty()) {
        ratis.setCipherSuites(suites);
      }
      GrpcTlsConfig config = ratis.build();
      return new Secured(
          certificates,
          config,
          GrpcUtil.buildSslContextForClient(config),
          serving(certificates, tls, suites));
    } catch (GeneralSecurityException | IOException | RuntimeException e) {
      certificates.close();
      throw new IOException("TLS files of the peer port: " + e.getMessage(), e);
    }
  }

  private static SslContext serving(
      LiveCertificates certificates, TlsSettings tls, List<String> suites) throws IOException {
    SslContextBuilder builder =
        GrpcSslContexts.configure(SslContextBuilder.forServer(certificates.keys()), SslProvider.JDK)
            .protocols(tls.protocols());
    if (!suites.isEmpty()) {
      builder.ciphers(suites);
    }
    if (certificates.demandsCertificates()) {
      // A resumed session would not be checked again, whatever was revoked since.
      builder.trustManager(certificates.trust()).clientAuth(ClientAuth.REQUIRE).sessionTimeout(1);
    }
    return builder.build();
  }
}
