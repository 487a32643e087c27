package io.tidemark.clusterconfig.tls;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/** Whom a certificate speaks for. */
final class SubjectNames {
  private static final int DNS = 2;
  private static final int ADDRESS = 7;

  private SubjectNames() {}

  /** The common name of its subject. */
  static Optional<String> commonName(X509Certificate certificate) {
    try {
      String subject = certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
      return new LdapName(subject)
          .getRdns().stream()
              .filter(rdn -> rdn.getType().equalsIgnoreCase("CN"))
              .map(Rdn::getValue)
              .map(Object::toString)
              .findFirst();
    } catch (InvalidNameException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether one of its alternative names is this host name or address. As in Go, the common name
   * doesn't count, and a star stands for one whole first label.
   */
  static boolean covers(X509Certificate certificate, String host) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names != null && names.stream().anyMatch(name -> matches(name, host));
    } catch (CertificateParsingException e) {
      return false;
    }
  }

  private static boolean matches(List<?> name, String host) {
    return switch ((Integer) name.get(0)) {
      case DNS -> matchesDns((String) name.get(1), host);
      case ADDRESS -> isAddress(host) && sameAddress((String) name.get(1), host);
      default -> false;
    };
  }

  private static boolean matchesDns(String pattern, String host) {
    String wanted = pattern.toLowerCase(Locale.ROOT);
    String given = host.toLowerCase(Locale.ROOT);
    int dot = given.indexOf('.');
    return wanted.equals(given)
        || (wanted.startsWith("*.") && dot > 0 && wanted.substring(1).equals(given.substring(dot)));
  }

  /** Only literals: no name is looked up. */
  private static boolean isAddress(String host) {
    return host.indexOf(':') >= 0 || host.matches("[0-9.]+");
  }

  private static boolean sameAddress(String one, String other) {
    try {
      return InetAddress.getByName(one).equals(InetAddress.getByName(other));
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
