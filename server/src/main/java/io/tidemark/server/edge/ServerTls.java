package io.tidemark.server.edge;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.tidemark.clusterconfig.tls.LiveCertificates;
import io.tidemark.clusterconfig.tls.LoggedRenewals;
import io.tidemark.clusterconfig.tls.TlsSettings;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;

/** TLS of the client port: one context whose certificates follow their files. Thread-safe. */
final class ServerTls implements AutoCloseable {
  private final LiveCertificates certificates;
  private final SslContext context;

  /** Blocks on the files. */
  ServerTls(String member, TlsSettings settings) throws IOException {
    try {
      this.certificates =
          new LiveCertificates(
              "tidemark-" + member + "-certificates",
              settings.files(),
              new LoggedRenewals("client port"));
    } catch (IOException e) {
      throw new IOException("TLS files of the client port: " + e.getMessage(), e);
    }
    try {
      this.context = context(settings);
    } catch (GeneralSecurityException e) {
      certificates.close();
      throw new IOException("TLS files of the client port: " + e.getMessage(), e);
    }
  }

  SslContext context() {
    return context;
  }

  @Override
  public void close() {
    certificates.close();
  }

  private SslContext context(TlsSettings settings) throws IOException, GeneralSecurityException {
    SslContextBuilder builder =
        SslContextBuilder.forServer(certificates.keys())
            .sslProvider(SslProvider.JDK)
            .protocols(settings.protocols())
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_2,
                    ApplicationProtocolNames.HTTP_1_1));
    List<String> suites = settings.enabledSuites();
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
