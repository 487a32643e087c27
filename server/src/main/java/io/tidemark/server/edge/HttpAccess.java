package io.tidemark.server.edge;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which pages of other sites may read answers, and under which names plain HTTP is served (against
 * DNS rebinding). {@code *} and an empty set stand for anything. As etcd's {@code --cors} and
 * {@code --host-whitelist}.
 */
public record HttpAccess(Set<String> origins, Set<String> hosts) {
  private static final String ANY = "*";

  public HttpAccess {
    origins = Set.copyOf(origins);
    hosts = Set.copyOf(hosts);
  }

  public static HttpAccess of(List<String> origins, List<String> hosts) {
    return new HttpAccess(Set.copyOf(origins), Set.copyOf(hosts));
  }

  /** For addresses that aren't for clients. */
  public static HttpAccess anybody() {
    return new HttpAccess(Set.of(), Set.of());
  }

  /** What a page of that origin is told; null if it may not read the answer. */
  @Nullable String allowedOrigin(@Nullable String origin) {
    if (origins.isEmpty() || origins.contains(ANY)) {
      return ANY;
    }
    return origin != null && origins.contains(origin) ? origin : null;
  }

  /** Whether plain HTTP is served under the name in that Host header, port or not. */
  boolean serves(@Nullable String host) {
    return hosts.isEmpty() || hosts.contains(ANY) || hosts.contains(name(host));
  }

  /** The name in a Host header without its port, and without the brackets of an IPv6 address. */
  static String name(@Nullable String host) {
    if (host == null) {
      return "";
    }
    int colon = host.lastIndexOf(':');
    if (host.startsWith("[")) {
      int end = host.indexOf(']');
      return end > 0 && colon == end + 1 ? host.substring(1, end) : host;
    }
    return colon >= 0 && host.indexOf(':') == colon ? host.substring(0, colon) : host;
  }
}
