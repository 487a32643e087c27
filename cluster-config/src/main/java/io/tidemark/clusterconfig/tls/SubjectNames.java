package io.tidemark.clusterconfig.tls;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/** Whom a certificate speaks for. */
public final class SubjectNames {
  private static final int DNS = 2;
  private static final int ADDRESS = 7;

  private SubjectNames() {}

  /**
   * The common name of its subject. Of several it is the last in the order of encoding, which is
   * what Go, and so etcd, takes: who signs may have added it to a subject that others chose. None
   * if that one is empty, no text, or one of several in the same part.
   */
  public static Optional<String> commonName(X509Certificate certificate) {
    return commonName(certificate.getSubjectX500Principal());
  }

  static Optional<String> commonName(X500Principal subject) {
    try {
      String text = subject.getName(X500Principal.RFC2253);
      List<Rdn> parts = new LdapName(text).getRdns(); // in the order of encoding
      for (int i = parts.size() - 1; i >= 0; i--) {
        Attribute names = parts.get(i).toAttributes().get("CN");
        if (names != null) {
          return names.size() == 1 && names.get() instanceof String name && !name.isEmpty()
              ? Optional.of(name)
              : Optional.empty();
        }
      }
      return Optional.empty();
    } catch (NamingException e) {
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
