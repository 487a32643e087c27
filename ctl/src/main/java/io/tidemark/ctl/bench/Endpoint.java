package io.tidemark.ctl.bench;

import java.util.Arrays;
import java.util.List;

/** Where a member takes client calls, and how a load gets in there. */
public record Endpoint(String host, int port, Admission admission) {
  private static final String SCHEME = "http://";

  public Endpoint {
    if (host.isEmpty() || port < 1 || port > 65535) {
      throw new IllegalArgumentException("not an endpoint: " + host + ":" + port);
    }
  }

  /** In plain text, as nobody. */
  public Endpoint(String host, int port) {
    this(host, port, Admission.OPEN);
  }

  /** The same place, entered otherwise. */
  public Endpoint by(Admission other) {
    return new Endpoint(host, port, other);
  }

  /** Reads {@code host:port} or {@code http://host:port}. */
  public static Endpoint parse(String text) {
    String rest = text.startsWith(SCHEME) ? text.substring(SCHEME.length()) : text;
    int colon = rest.lastIndexOf(':');
    if (rest.contains("/") || colon < 1) {
      throw new IllegalArgumentException("not an endpoint (host:port): " + text);
    }
    try {
      return new Endpoint(rest.substring(0, colon), Integer.parseInt(rest.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not an endpoint (host:port): " + text, e);
    }
  }

  /** Reads a comma list; at least one. */
  public static List<Endpoint> parseList(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::trim).map(Endpoint::parse).toList();
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
