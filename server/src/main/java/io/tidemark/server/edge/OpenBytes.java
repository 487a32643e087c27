package io.tidemark.server.edge;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What open calls hold on the heap: their headers, which the transport and the calls keep, and a
 * fixed sum for everything else that belongs to a call.
 *
 * <p>Bound: bytes, over all connections; policy: the call that goes beyond it is refused before
 * anything of it is kept. Thread-safe.
 */
final class OpenBytes {
  /** A call without its headers; a watch with its stream of HTTP/2 is the largest. */
  static final int CALL_BYTES = 8 * 1024;

  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();

  OpenBytes(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Whether there was room; then they have to be given back. */
  boolean take(long more) {
    if (bytes.addAndGet(more) <= bytesMax) {
      return true;
    }
    giveBack(more);
    return false;
  }

  void giveBack(long less) {
    bytes.addAndGet(-less);
  }

  /** Held now. */
  long bytes() {
    return bytes.get();
  }
}
