package io.tidemark.server.edge;

/** What an address takes. */
enum Serves {
  /** gRPC and pages side by side; the first bytes of a connection decide. */
  BOTH,
  /** gRPC; whoever sends something else hears so in gRPC's way, or is cut off. */
  GRPC,
  /** Pages over HTTP/1.1 or HTTP/2; a gRPC call is a path that isn't there. */
  PAGES
}
