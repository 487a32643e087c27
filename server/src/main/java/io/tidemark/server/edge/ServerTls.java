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
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/** Builds the TLS context of the client port from its files. */
final class ServerTls {
  private ServerTls() {}

  /** Blocks on the files. */
  static SslContext context(TlsFiles files) throws IOException {
    try {
      SslContextBuilder builder =
          SslContextBuilder.forServer(
                  PrivateKeyFile.read(files.key()), certificates(files.certificates()))
              .sslProvider(SslProvider.JDK)
              .protocols("TLSv1.3", "TLSv1.2")
              .applicationProtocolConfig(
                  new ApplicationProtocolConfig(
                      Protocol.ALPN,
                      SelectorFailureBehavior.NO_ADVERTISE,
                      SelectedListenerFailureBehavior.ACCEPT,
                      ApplicationProtocolNames.HTTP_2,
                      ApplicationProtocolNames.HTTP_1_1));
      Path authority = files.clientAuthority();
      if (authority != null) {
        builder.trustManager(certificates(authority)).clientAuth(ClientAuth.REQUIRE);
      }
      return builder.build();
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS files of the client port: " + e.getMessage(), e);
    }
  }

  private static X509Certificate[] certificates(Path file)
      throws IOException, CertificateException {
    try (InputStream in = Files.newInputStream(file)) {
      X509Certificate[] chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(in)
              .toArray(new X509Certificate[0]);
      if (chain.length == 0) {
        throw new CertificateException("no certificate in " + file);
      }
      return chain;
    }
  }
}
