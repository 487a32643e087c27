package io.tidemark.clusterconfig.tls;

import io.tidemark.clusterconfig.Security;
import io.tidemark.clusterconfig.TlsFiles;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * TLS of one port.
 *
 * @param files what it shows, and what it demands of the other side
 * @param protocols accepted versions in Java's spelling, the best first
 * @param suites accepted suites of TLS 1.2 in the spelling of the standards, which is Go's and
 *     Java's; empty for the platform's choice. As in Go, those of TLS 1.3 are not chosen
 */
public record TlsSettings(TlsFiles files, List<String> protocols, List<String> suites) {
  private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");
  private static final List<String> SUITES_OF_TLS_1_3 =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  public TlsSettings {
    protocols = List.copyOf(protocols);
    suites = List.copyOf(suites);
  }

  /** All versions that are still safe, with the platform's suites. */
  public TlsSettings(TlsFiles files) {
    this(files, VERSIONS, List.of());
  }

  /**
   * One side's files under what was chosen for both. Checked before: the least version is no higher
   * than the highest, which may be open.
   */
  public static TlsSettings of(TlsFiles files, Security security) {
    List<String> protocols = new ArrayList<>();
    for (String version : VERSIONS) {
      String name = version.replace("TLSv", "TLS");
      String highest = security.tlsMaxVersion();
      boolean low = name.compareTo(security.tlsMinVersion()) < 0;
      boolean high = !highest.isEmpty() && name.compareTo(highest) > 0;
      if (!low && !high) {
        protocols.add(version);
      }
    }
    return new TlsSettings(files, protocols, security.cipherSuites());
  }

  /**
   * What to enable; empty for the platform's choice.
   *
   * @throws GeneralSecurityException naming a suite that isn't known
   */
  public List<String> enabledSuites() throws GeneralSecurityException {
    if (suites.isEmpty()) {
      return List.of();
    }
    List<String> known = knownSuites();
    for (String suite : suites) {
      if (!known.contains(suite)) {
        throw new GeneralSecurityException("unknown cipher suite " + suite);
      }
    }
    List<String> enabled = new ArrayList<>(SUITES_OF_TLS_1_3);
    enabled.addAll(suites);
    return enabled;
  }

  private static List<String> knownSuites() throws NoSuchAlgorithmException {
    return List.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
  }
}
