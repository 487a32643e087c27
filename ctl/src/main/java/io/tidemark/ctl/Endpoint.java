package io.tidemark.ctl;

import java.util.Arrays;
import java.util.List;

/**
 * One address of the cluster.
 *
 * @param given as the user wrote it
 * @param host name or address, without brackets
 * @param port 1 to 65,535
 * @param tls whether the user asked for TLS by {@code https://}
 * @param plain whether the user asked for plain text by {@code http://}
 */
record Endpoint(String given, String host, int port, boolean tls, boolean plain) {
  private static final int MAX_PORT = 65_535;

  static List<Endpoint> parseAll(String text) {
    List<Endpoint> endpoints =
        Arrays.stream(text.split(",", -1))
            .map(String::trim)
            .filter(item -> !item.isEmpty())
            .map(Endpoint::parse)
            .toList();
    if (endpoints.isEmpty()) {
      throw CommandFailure.badArguments("no endpoints given");
    }
    return endpoints;
  }

  static Endpoint parse(String given) {
    boolean tls = given.startsWith("https://");
    boolean plain = given.startsWith("http://");
    String address = given.substring(tls ? 8 : plain ? 7 : 0);
    if (address.endsWith("/")) {
      address = address.substring(0, address.length() - 1);
    }
    int colon = address.lastIndexOf(':');
    if (address.contains("/") || colon <= 0 || !address.substring(colon + 1).matches("\\d{1,5}")) {
      throw CommandFailure.badArguments("endpoint \"" + given + "\" is not host:port or a URL");
    }
    int port = Integer.parseInt(address.substring(colon + 1));
    if (port == 0 || port > MAX_PORT) {
      throw CommandFailure.badArguments("endpoint \"" + given + "\" has no valid port");
    }
    String host = address.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    return new Endpoint(given, host, port, tls, plain);
  }

  /** Host and port as an authority of a URL. */
  String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
