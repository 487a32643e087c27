package io.tidemark.clusterconfig;

import java.util.List;

/**
 * What is served over plain HTTP.
 *
 * @param cors allowed origins; {@code *} is any
 * @param hostWhitelist accepted Host headers on plain HTTP; {@code *} is any
 * @param gateway whether the JSON gateway is on
 * @param pprof whether debugging endpoints are on
 * @param extensiveMetrics whether gRPC histograms are exposed too
 */
public record HttpOptions(
    List<String> cors,
    List<String> hostWhitelist,
    boolean gateway,
    boolean pprof,
    boolean extensiveMetrics) {
  public HttpOptions {
    cors = List.copyOf(cors);
    hostWhitelist = List.copyOf(hostWhitelist);
  }
}
