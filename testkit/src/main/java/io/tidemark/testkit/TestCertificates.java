package io.tidemark.testkit;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * PEM files of an authority of a cluster's own, made for it and gone with it.
 *
 * @param caFile the authority's certificate: what clients trust
 * @param serverCertFile certificate of all members, for {@code localhost} and the loopback address
 * @param serverKeyFile its key
 * @param clientCertFile a client's certificate with the common name {@code root}, for clusters that
 *     ask for one
 * @param clientKeyFile its key, PKCS #8
 */
public record TestCertificates(
    Path caFile, Path serverCertFile, Path serverKeyFile, Path clientCertFile, Path clientKeyFile) {
  /** Makes them in a directory that exists. Takes some milliseconds. */
  static TestCertificates in(Path directory) {
    try {
      X509Bundle authority =
          new CertificateBuilder()
              .ecp256()
              .subject("CN=Tidemark testkit")
              .setIsCertificateAuthority(true)
              .buildSelfSigned();
      X509Bundle server =
          new CertificateBuilder()
              .ecp256()
              .subject("CN=localhost")
              .addSanDnsName("localhost")
              .addSanIpAddress("127.0.0.1")
              .addSanIpAddress("::1")
              .addExtendedKeyUsageServerAuth()
              .addExtendedKeyUsageClientAuth()
              .buildIssuedBy(authority);
      X509Bundle client =
          new CertificateBuilder()
              .ecp256()
              .subject("CN=root")
              .addExtendedKeyUsageClientAuth()
              .buildIssuedBy(authority);
      return new TestCertificates(
          write(directory, "ca.pem", authority.getCertificatePEM()),
          write(directory, "server.pem", server.getCertificatePathPEM()),
          write(directory, "server-key.pem", server.getPrivateKeyPEM()),
          write(directory, "client.pem", client.getCertificatePathPEM()),
          write(directory, "client-key.pem", client.getPrivateKeyPEM()));
    } catch (Exception failed) { // the builder's signature says no more
      throw new IllegalStateException("can't make certificates in " + directory, failed);
    }
  }

  private static Path write(Path directory, String name, String pem) throws IOException {
    return Files.write(directory.resolve(name), pem.getBytes(StandardCharsets.UTF_8));
  }
}
