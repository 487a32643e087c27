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
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;

/** Builds the TLS context of the client port from its files. */
final class ServerTls {
  private static final List<String> SUITES_OF_TLS_1_3 =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  private ServerTls() {}

  /** Blocks on the files. */
  static SslContext context(TlsFiles files) throws IOException {
    try {
      SslContextBuilder builder =
          SslContextBuilder.forServer(
                  PrivateKeyFile.read(files.key()), certificates(files.certificates()))
              .sslProvider(SslProvider.JDK)
              .protocols(files.protocols())
              .applicationProtocolConfig(
                  new ApplicationProtocolConfig(
                      Protocol.ALPN,
                      SelectorFailureBehavior.NO_ADVERTISE,
                      SelectedListenerFailureBehavior.ACCEPT,
                      ApplicationProtocolNames.HTTP_2,
                      ApplicationProtocolNames.HTTP_1_1));
      if (!files.ciphers().isEmpty()) {
        builder.ciphers(suites(files.ciphers()));
      }
      Path authority = files.clientAuthority();
      if (authority != null) {
        builder.trustManager(certificates(authority)).clientAuth(ClientAuth.REQUIRE);
      }
      return builder.build();
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS files of the client port: " + e.getMessage(), e);
    }
  }

  private static List<String> suites(List<String> chosen) throws GeneralSecurityException {
    List<String> known =
        List.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
    for (String suite : chosen) {
      if (!known.contains(suite)) {
        throw new GeneralSecurityException("unknown cipher suite " + suite);
      }
    }
    List<String> suites = new ArrayList<>(SUITES_OF_TLS_1_3);
    suites.addAll(chosen);
    return suites;
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
