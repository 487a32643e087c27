package io.tidemark.server.edge;

/**
 * What clients may make one edge hold, over all connections.
 *
 * @param openBytesMax what open calls hold, headers included: {@link OpenBytes}
 * @param arrivingBytesMax requests that have come in part, before large ones are refused
 * @param connectionsMax open connections, whatever they speak; one more is closed unread
 */
public record EdgeLimits(long openBytesMax, long arrivingBytesMax, int connectionsMax) {
  /** Of the heap, for each connection: TLS, tables of header fields, what both ends have said. */
  private static final int CONNECTION_BYTES = 64 * 1024;

  /** The limits of this process. */
  public static EdgeLimits ofProcess(int messageBytesMax) {
    return of(Runtime.getRuntime().maxMemory(), Edge.bufferBytesMax(), messageBytesMax);
  }

  /** For an address with nothing but pages for probes. */
  EdgeLimits forProbes() {
    return new EdgeLimits(openBytesMax / 8, arrivingBytesMax / 8, connectionsMax / 8 + 1);
  }

  /**
   * The limits of a process with that much memory.
   *
   * <p>Network buffers get a quarter for what arrives, since buffers are larger than what is in
   * them; but no less than two of the largest requests, if those fit into half.
   */
  static EdgeLimits of(long heapBytes, long bufferBytes, int messageBytesMax) {
    return new EdgeLimits(
        heapBytes / 4,
        Math.max(bufferBytes / 4, Math.min(bufferBytes / 2, 2L * messageBytesMax)),
        (int) Math.min(Integer.MAX_VALUE, heapBytes / CONNECTION_BYTES));
  }
}
