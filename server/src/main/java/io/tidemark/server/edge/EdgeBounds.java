package io.tidemark.server.edge;

import io.tidemark.server.rpc.ArrivingBytes;

/** What all connections of one edge share. Thread-safe. */
record EdgeBounds(OpenBytes open, ArrivingBytes.Budget arriving, int connectionsMax) {
  static EdgeBounds of(EdgeLimits limits) {
    return new EdgeBounds(
        new OpenBytes(limits.openBytesMax()),
        new ArrivingBytes.Budget(limits.arrivingBytesMax()),
        limits.connectionsMax());
  }
}
