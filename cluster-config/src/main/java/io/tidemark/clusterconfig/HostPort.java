package io.tidemark.clusterconfig;

import java.net.URI;

/**
 * The address part of a URL. {@link URI#getHost} is null for names with an underscore, which
 * container networks use, so the authority is taken apart here.
 *
 * @param host name or IP address, without brackets; empty when there is none
 * @param port 0 to 65,535, or -1 when there is none
 */
public record HostPort(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /** The address of {@code url}. Never fails: what is missing is empty or -1. */
  public static HostPort of(URI url) {
    String authority = url.getRawAuthority() == null ? "" : url.getRawAuthority();
    authority = authority.substring(authority.indexOf('@') + 1);
    int colon = authority.endsWith("]") ? -1 : authority.lastIndexOf(':');
    String host = colon < 0 ? authority : authority.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    return new HostPort(host, colon < 0 ? -1 : portOf(authority.substring(colon + 1)));
  }

  private static int portOf(String text) {
    if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    int port = Integer.parseInt(text);
    return port <= MAX_PORT ? port : -1;
  }
}
