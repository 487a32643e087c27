package io.tidemark.server.edge;

import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

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

  static TlsFiles server() {
    return new TlsFiles(file("rsa.crt"), file("rsa-pkcs1.key"), null);
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
