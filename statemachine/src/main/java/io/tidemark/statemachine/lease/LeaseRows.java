package io.tidemark.statemachine.lease;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;

/**
 * The rows of leases, as {@code docs/format.md} describes them.
 *
 * <p>{@code LEASE}: id to TTL and renewal. {@code LEASE_KEY}: id and key to nothing, so that the
 * keys of a lease are neighbours in their own order. {@code META}: the newest logged clock.
 */
public final class LeaseRows {
  static final ByteString CLOCK_KEY = ByteString.copyFromUtf8("lease_clock");

  private LeaseRows() {}

  /** The key of a lease's row. */
  public static ByteString idBytes(long id) {
    return longs(id);
  }

  static long id(ByteString key) {
    return key.asReadOnlyByteBuffer().getLong();
  }

  /** A lease's row. */
  public static ByteString row(Lease lease) {
    return longs(lease.ttlSeconds(), lease.renewedAt());
  }

  static Lease lease(ByteString row) {
    ByteBuffer in = row.asReadOnlyByteBuffer();
    return new Lease(in.getLong(), in.getLong());
  }

  static ByteString clockRow(long clock) {
    return longs(clock);
  }

  static long clock(ByteString row) {
    return row.asReadOnlyByteBuffer().getLong();
  }

  /** The key of the row that says that a lease holds a key. */
  public static ByteString attachment(long id, ByteString key) {
    return longs(id).concat(key);
  }

  static ByteString attachedKey(ByteString attachment) {
    return attachment.substring(Long.BYTES);
  }

  private static ByteString longs(long... numbers) {
    ByteBuffer out = ByteBuffer.allocate(numbers.length * Long.BYTES);
    for (long number : numbers) {
      out.putLong(number);
    }
    return UnsafeByteOperations.unsafeWrap(out.array());
  }
}
