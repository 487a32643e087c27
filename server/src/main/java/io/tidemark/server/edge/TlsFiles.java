package io.tidemark.server.edge;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PEM files of the client port, and what else is demanded of its connections.
 *
 * @param certificates the server's certificate chain
 * @param key its private key: PKCS#1, PKCS#8 or SEC1
 * @param clientAuthority when given, every client must show a certificate that it signed
 * @param protocols accepted versions in Java's spelling, the best first
 * @param ciphers accepted suites of TLS 1.2 in the spelling of the standards, which is Go's and
 *     Java's; empty for the platform's choice. As in Go, those of TLS 1.3 are not chosen
 */
public record TlsFiles(
    Path certificates,
    Path key,
    @Nullable Path clientAuthority,
    List<String> protocols,
    List<String> ciphers) {
  static final String TLS_1_3 = "TLSv1.3";
  static final String TLS_1_2 = "TLSv1.2";

  public TlsFiles {
    protocols = List.copyOf(protocols);
    ciphers = List.copyOf(ciphers);
  }

  /** TLS 1.2 and 1.3 with the platform's suites. */
  public TlsFiles(Path certificates, Path key, @Nullable Path clientAuthority) {
    this(certificates, key, clientAuthority, List.of(TLS_1_3, TLS_1_2), List.of());
  }
}
