package io.tidemark.ctl.bench;

import java.util.List;

/**
 * Where the calls go: every caller takes the endpoints in turn, one call each.
 *
 * @param connections connections per endpoint, shared by the callers
 * @param loops event loop threads of the client
 */
public record Target(List<Endpoint> endpoints, int connections, int loops) {
  public Target {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty() || connections < 1 || loops < 1) {
      throw new IllegalArgumentException("a target needs an endpoint, a connection and a loop");
    }
  }

  /** Two connections per endpoint, one event loop. */
  public static Target of(List<Endpoint> endpoints) {
    return new Target(endpoints, 2, 1);
  }
}
