package io.tidemark.clusterconfig;

import java.time.Duration;
import java.util.List;

/**
 * TLS and authentication.
 *
 * @param client TLS towards clients
 * @param peer TLS between members
 * @param cipherSuites suites in Go's spelling; empty is the platform's choice
 * @param tlsMinVersion {@code TLS1.2} or {@code TLS1.3}
 * @param tlsMaxVersion the same, or empty for the highest known
 * @param selfSignedYears how long certificates are valid that members sign for themselves
 * @param authToken {@code simple} or {@code jwt,...}
 * @param authTokenTtl life of a simple token
 * @param bcryptCost work factor of password hashes
 */
public record Security(
    TlsFiles client,
    TlsFiles peer,
    List<String> cipherSuites,
    String tlsMinVersion,
    String tlsMaxVersion,
    int selfSignedYears,
    String authToken,
    Duration authTokenTtl,
    int bcryptCost) {
  public Security {
    cipherSuites = List.copyOf(cipherSuites);
  }
}
