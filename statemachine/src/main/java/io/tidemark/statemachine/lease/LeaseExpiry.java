package io.tidemark.statemachine.lease;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;

/**
 * The leader's finding that a lease is over. Whether it is true is judged again when it is applied:
 * a renewal that came into the log before it wins.
 *
 * @param term the term in which the clock ran; in an entry of another term it means nothing
 * @param clock milliseconds of the lease clock at the finding
 * @param id the lease
 * @param renewedAt the renewal that the finding rests on
 */
public record LeaseExpiry(long term, long clock, long id, long renewedAt) {
  private static final int BYTES = 4 * Long.BYTES;

  /** Term (8), clock (8), id (8), renewed at (8). */
  public ByteString encode() {
    return UnsafeByteOperations.unsafeWrap(
        ByteBuffer.allocate(BYTES)
            .putLong(term)
            .putLong(clock)
            .putLong(id)
            .putLong(renewedAt)
            .array());
  }

  /**
   * Reads what {@link #encode} writes.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static LeaseExpiry decode(ByteString bytes) {
    if (bytes.size() != BYTES) {
      throw new IllegalArgumentException("an expiry of " + bytes.size() + " bytes");
    }
    ByteBuffer in = bytes.asReadOnlyByteBuffer();
    return new LeaseExpiry(in.getLong(), in.getLong(), in.getLong(), in.getLong());
  }

  /** Whether the lease, as it is now, is over at the time of the finding. */
  public boolean holdsFor(Lease lease) {
    return lease.isLogged() && lease.renewedAt() == renewedAt && lease.remainingMillis(clock) <= 0;
  }
}
