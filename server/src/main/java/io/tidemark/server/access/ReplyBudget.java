package io.tidemark.server.access;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the bytes of large replies that wait in network buffers: a reply to a single request is
 * handed over whole, however slowly its client reads.
 *
 * <p>Full policy: push back, then refuse. The read thread waits a while for earlier replies to be
 * written, so that at most one reply per read thread waits on the heap; then the call fails with
 * "too many requests".
 */
public final class ReplyBudget {
  private static final int SMALL_BYTES = 64 * 1024;
  private static final long UNIT_BYTES = 1024;
  private static final long WAIT_SECONDS = 5;

  private final int unitsMax;
  private final Semaphore units;

  /**
   * A budget.
   *
   * @param bytesMax bytes of large replies in buffers; a single larger one takes all of it
   */
  public ReplyBudget(long bytesMax) {
    unitsMax = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytesMax / UNIT_BYTES));
    units = new Semaphore(unitsMax, true);
  }

  /** Sends now, or after waiting for room. Thread: a read thread; may block. */
  public void send(Reply reply, Spliced message) {
    if (message.size() <= SMALL_BYTES) {
      reply.send(message);
      return;
    }
    int wanted = (int) Math.min(unitsMax, message.size() / UNIT_BYTES);
    try {
      if (!units.tryAcquire(wanted, WAIT_SECONDS, TimeUnit.SECONDS)) {
        reply.fail(EtcdError.TOO_MANY_REQUESTS);
        return;
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      reply.fail(EtcdError.STOPPED);
      return;
    }
    reply.whenOver(() -> units.release(wanted));
    reply.send(message);
  }
}
