package io.tidemark.server.edge;

import io.tidemark.clusterconfig.tls.TlsSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the client port behaves.
 *
 * @param member name that the threads carry
 * @param listenUrls http, https, unix or unixs, each bound on its own: gRPC and pages, or gRPC
 *     alone if there are page URLs
 * @param pageUrls the same, for pages alone
 * @param tls key material for the https and unixs URLs; null when there is none of them
 * @param messageBytesMax largest request message
 * @param concurrentStreamsMax open streams of one connection
 * @param keepalive pings in both directions
 * @param timings how long clients may take
 * @param limits what clients may make this member hold
 * @param access whom the pages are served to
 */
public record EdgeSettings(
    String member,
    List<URI> listenUrls,
    List<URI> pageUrls,
    @Nullable TlsSettings tls,
    int messageBytesMax,
    int concurrentStreamsMax,
    Keepalive keepalive,
    Timings timings,
    EdgeLimits limits,
    HttpAccess access) {

  public EdgeSettings {
    listenUrls = List.copyOf(listenUrls);
    pageUrls = List.copyOf(pageUrls);
    if (listenUrls.isEmpty() && pageUrls.isEmpty()) {
      throw new IllegalArgumentException("no URL to listen on");
    }
  }

  /** The same on other URLs, with pages alone, for anybody. */
  public EdgeSettings pagesOn(List<URI> urls) {
    return new EdgeSettings(
        member,
        List.of(),
        urls,
        tls,
        messageBytesMax,
        concurrentStreamsMax,
        keepalive,
        timings,
        limits.forProbes(),
        HttpAccess.anybody());
  }

  /**
   * Pings in both directions.
   *
   * @param clientPingMin pings that come closer than this, less a tenth, end the connection
   * @param serverPingInterval pause before the server pings an idle connection; zero = never
   * @param serverPingTimeout wait for the answer to such a ping
   */
  public record Keepalive(
      Duration clientPingMin, Duration serverPingInterval, Duration serverPingTimeout) {
    public static Keepalive defaults() {
      return new Keepalive(Duration.ofSeconds(5), Duration.ofHours(2), Duration.ofSeconds(20));
    }
  }

  /**
   * How long clients may take.
   *
   * @param firstBytes limit for TLS handshake and first bytes together
   * @param firstRequest how long an HTTP/2 connection without a request stays undecided; then it is
   *     taken for gRPC
   * @param request limit for one HTTP request, head and body, unless the body comes fast enough;
   *     what the answer takes doesn't count
   * @param idle how long HTTP/1.1 connections may stay without a request
   */
  public record Timings(
      Duration firstBytes, Duration firstRequest, Duration request, Duration idle) {
    public static Timings defaults() {
      return new Timings(
          Duration.ofSeconds(30),
          Duration.ofSeconds(2),
          Duration.ofSeconds(30),
          Duration.ofMinutes(5));
    }
  }
}
