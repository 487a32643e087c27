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
 * @param autoTls sign a certificate for oneself at start; never when one is given
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

  /** Whether there is a server certificate, given or self-signed. */
  public boolean enabled() {
    return certFile != null || keyFile != null || autoTls;
  }

  /** The same with this server certificate and key. */
  public TlsFiles showing(Path certificate, Path key) {
    return new TlsFiles(
        certificate,
        key,
        clientCertFile,
        clientKeyFile,
        trustedCaFile,
        clientCertAuth,
        autoTls,
        crlFile,
        allowedCommonNames,
        allowedHostnames,
        skipClientSanVerification);
  }
}
