package io.tidemark.server.edge;

import io.tidemark.clusterconfig.TlsFiles;
import io.tidemark.clusterconfig.tls.TlsSettings;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The key material of the probes. */
final class ProbeTls {
  private ProbeTls() {}

  static Path file(String name) {
    try {
      return Path.of(ProbeTls.class.getResource("/tls/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  static TlsSettings server() {
    return new TlsSettings(files("rsa.crt", "rsa-pkcs1.key", null));
  }

  /** A server's files; with an authority, clients must show a certificate that it signed. */
  static TlsFiles files(String certificate, String key, @Nullable String authority) {
    Path trusted = authority == null ? null : file(authority);
    return new TlsFiles(
        file(certificate),
        file(key),
        null,
        null,
        trusted,
        false,
        false,
        null,
        List.of(),
        List.of(),
        false);
  }

  /** For clients: trusts the authority that signed the servers' certificates. */
  static SSLContext trusting() throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = ProbeTls.class.getResourceAsStream("/tls/ca.crt")) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
