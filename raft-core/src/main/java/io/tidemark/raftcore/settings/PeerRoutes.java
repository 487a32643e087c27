package io.tidemark.raftcore.settings;

import io.tidemark.clusterconfig.HostPort;

/**
 * Where a member dials in place of the address in a peer URL. For proxies between members, which
 * tests put there; each member has routes of its own, so that a link has two ends. Called on any
 * thread; must not block.
 */
@FunctionalInterface
public interface PeerRoutes {
  /**
   * Names the property that sends addresses elsewhere: a comma list of {@code
   * <host:port>=<host:port>}. It holds for all members of a process.
   */
  String PROPERTY = "tidemark.peer.routes";

  /** Where to dial when a peer URL says {@code asked}. */
  HostPort dialed(HostPort asked);

  /** What the property says; read anew at each dialing. */
  static PeerRoutes ofProperty() {
    return asked -> {
      for (String route : System.getProperty(PROPERTY, "").split(",", -1)) {
        int equals = route.indexOf('=');
        if (equals > 0 && hostPort(route.substring(0, equals)).equals(asked)) {
          return hostPort(route.substring(equals + 1));
        }
      }
      return asked;
    };
  }

  private static HostPort hostPort(String text) {
    String trimmed = text.trim();
    int colon = trimmed.lastIndexOf(':');
    return new HostPort(
        trimmed.substring(0, colon), Integer.parseInt(trimmed.substring(colon + 1)));
  }
}
