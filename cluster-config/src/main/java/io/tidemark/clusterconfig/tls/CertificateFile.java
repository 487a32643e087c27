package io.tidemark.clusterconfig.tls;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRL;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.Set;

/** Reads certificates, and lists of revoked ones, from PEM or DER files. Blocks on them. */
final class CertificateFile {
  private CertificateFile() {}

  /** All certificates of a file in their order; at least one. */
  static X509Certificate[] read(Path file) throws IOException, CertificateException {
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

  /** Serial numbers of all certificates that a file's lists revoke. */
  static Set<BigInteger> revoked(Path file) throws IOException, GeneralSecurityException {
    Set<BigInteger> serials = new HashSet<>();
    try (InputStream in = Files.newInputStream(file)) {
      for (CRL list : CertificateFactory.getInstance("X.509").generateCRLs(in)) {
        Set<? extends X509CRLEntry> entries = ((X509CRL) list).getRevokedCertificates();
        if (entries != null) {
          entries.forEach(entry -> serials.add(entry.getSerialNumber()));
        }
      }
    }
    return serials;
  }
}
