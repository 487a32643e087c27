package io.tidemark.statemachine.lease;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The leader's clock, and the leases that were renewed since it last told it.
 *
 * @param term the term in which the clock ran; in an entry of another term it means nothing
 * @param clock milliseconds of the lease clock; no renewal is later
 * @param renewals in no particular order; may be empty
 */
public record LeaseRenewals(long term, long clock, List<Renewal> renewals) {
  private static final int HEADER_BYTES = 2 * Long.BYTES;
  private static final int RENEWAL_BYTES = 2 * Long.BYTES;

  public LeaseRenewals {
    renewals = List.copyOf(renewals);
  }

  /**
   * One lease.
   *
   * @param at when it was renewed, on the same clock
   */
  public record Renewal(long id, long at) {}

  /** Term (8), clock (8), then id (8) and time (8) of each. */
  public ByteString encode() {
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + renewals.size() * RENEWAL_BYTES);
    out.putLong(term).putLong(clock);
    for (Renewal renewal : renewals) {
      out.putLong(renewal.id()).putLong(renewal.at());
    }
    return UnsafeByteOperations.unsafeWrap(out.array());
  }

  /**
   * Reads what {@link #encode} writes.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static LeaseRenewals decode(ByteString bytes) {
    int rest = bytes.size() - HEADER_BYTES;
    if (rest < 0 || rest % RENEWAL_BYTES != 0) {
      throw new IllegalArgumentException("renewals of " + bytes.size() + " bytes");
    }
    ByteBuffer in = bytes.asReadOnlyByteBuffer();
    long term = in.getLong();
    long clock = in.getLong();
    List<Renewal> renewals = new ArrayList<>(rest / RENEWAL_BYTES);
    while (in.hasRemaining()) {
      renewals.add(new Renewal(in.getLong(), in.getLong()));
    }
    return new LeaseRenewals(term, clock, renewals);
  }
}
