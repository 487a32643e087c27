package io.tidemark.clusterconfig;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Certificates of one side (clients or peers); plain text when no certificate is given.
 *
 * @param certFile server certificate chain, PEM
 * @param keyFile its private key, PEM
 * @param clientCertFile certificate for connections that this member opens; null is {@code
 *     certFile}
 * @param clientKeyFile its private key
 * @param trustedCaFile authorities that may sign the other side's certificates
 * @param clientCertAuth demand a certificate of whoever connects
 * @param autoTls make self-signed certificates at start
 * @param crlFile revoked certificates
 * @param allowedCommonNames accepted common names; empty accepts all
 * @param allowedHostnames accepted host names; empty accepts all
 * @param skipClientSanVerification do not compare the other side's address with its certificate
 */
public record TlsFiles(
    @Nullable Path certFile,
    @Nullable Path keyFile,
    @Nullable Path clientCertFile,
    @Nullable Path clientKeyFile,
    @Nullable Path trustedCaFile,
    boolean clientCertAuth,
    boolean autoTls,
    @Nullable Path crlFile,
    List<String> allowedCommonNames,
    List<String> allowedHostnames,
    boolean skipClientSanVerification) {
  public TlsFiles {
    allowedCommonNames = List.copyOf(allowedCommonNames);
    allowedHostnames = List.copyOf(allowedHostnames);
  }

  /** Whether a server certificate was given. Self-signed ones are not made yet. */
  public boolean enabled() {
    return certFile != null || keyFile != null;
  }
}
