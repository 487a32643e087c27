package io.tidemark.clusterconfig;

import java.net.URI;
import java.util.List;

/**
 * The addresses of one member. Lists keep the order in which they were given and hold no
 * duplicates.
 *
 * @param listenClient where gRPC (and HTTP, unless {@code listenClientHttp} is set) is served
 * @param listenClientHttp where HTTP alone is served; empty when it shares the client URLs
 * @param advertiseClient what other members and clients are told
 * @param listenPeer where other members connect
 * @param advertisePeer what other members dial; the member's id is derived from it
 * @param listenMetrics extra addresses for {@code /metrics} and the health checks
 */
public record MemberUrls(
    List<URI> listenClient,
    List<URI> listenClientHttp,
    List<URI> advertiseClient,
    List<URI> listenPeer,
    List<URI> advertisePeer,
    List<URI> listenMetrics) {
  public MemberUrls {
    listenClient = List.copyOf(listenClient);
    listenClientHttp = List.copyOf(listenClientHttp);
    advertiseClient = List.copyOf(advertiseClient);
    listenPeer = List.copyOf(listenPeer);
    advertisePeer = List.copyOf(advertisePeer);
    listenMetrics = List.copyOf(listenMetrics);
  }
}
