package io.tidemark.clusterconfig.tls;

import java.math.BigInteger;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Whom a port believes: certificates that its authorities signed, that are not revoked and carry an
 * allowed name. The rules may be replaced at any time; each check uses those of its moment.
 * Thread-safe.
 */
final class Trust extends X509ExtendedTrustManager {
  /**
   * The rules.
   *
   * @param authorities the check of the signatures
   * @param revoked serial numbers
   * @param commonNames one of them must be the subject's; empty = any
   * @param hostNames one of them must be an alternative name; empty = any
   */
  record Rules(
      X509ExtendedTrustManager authorities,
      Set<BigInteger> revoked,
      List<String> commonNames,
      List<String> hostNames) {}

  private volatile Rules rules;

  Trust(Rules rules) {
    this.rules = rules;
  }

  void replace(Rules next) {
    rules = next;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    Rules now = rules;
    now.authorities().checkClientTrusted(chain, type, engine);
    check(chain, now);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    Rules now = rules;
    now.authorities().checkClientTrusted(chain, type, socket);
    check(chain, now);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    Rules now = rules;
    now.authorities().checkClientTrusted(chain, type);
    check(chain, now);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    Rules now = rules;
    now.authorities().checkServerTrusted(chain, type, engine);
    check(chain, now);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    Rules now = rules;
    now.authorities().checkServerTrusted(chain, type, socket);
    check(chain, now);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    Rules now = rules;
    now.authorities().checkServerTrusted(chain, type);
    check(chain, now);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return rules.authorities().getAcceptedIssuers();
  }

  private static void check(X509Certificate[] chain, Rules rules) throws CertificateException {
    for (X509Certificate certificate : chain) {
      if (rules.revoked().contains(certificate.getSerialNumber())) {
        throw new CertificateException(
            "transport: certificate serial "
                + certificate.getSerialNumber().toString(16)
                + " revoked");
      }
    }
    if (!isNamed(chain[0], rules)) {
      throw new CertificateException("client certificate authentication failed");
    }
  }

  private static boolean isNamed(X509Certificate certificate, Rules rules) {
    if (!rules.commonNames().isEmpty()) {
      return SubjectNames.commonName(certificate).filter(rules.commonNames()::contains).isPresent();
    }
    return rules.hostNames().isEmpty()
        || rules.hostNames().stream().anyMatch(host -> SubjectNames.covers(certificate, host));
  }
}
