package io.tidemark.server.rpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of one request message, of a gRPC call or a page, that have arrived while the
 * rest has not: they wait in network buffers, and HTTP/2 windows don't bound them.
 *
 * <p>Thread: the call's event loop.
 */
public final class ArrivingBytes extends ServerStreamTracer {
  private static final Context.Key<ArrivingBytes> KEY = Context.key("tidemark-arriving-bytes");

  /** What keeping a piece costs besides; a message in single bytes is no small one. */
  private static final int PIECE_BYTES = 512;

  private final Budget budget;
  private long bytes;
  private @Nullable Runnable onOverflow;

  private ArrivingBytes(Budget budget) {
    this.budget = budget;
  }

  /** Has the call that starts now ended by {@code refusal} should the budget be used up. */
  public static void whenTooMany(Runnable refusal) {
    ArrivingBytes arriving = KEY.get();
    if (arriving != null) {
      arriving.onOverflow = refusal;
    }
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(KEY, this);
  }

  /** A piece of the message has come. Whether there was room for it; it counts in any case. */
  public boolean arrived(long more) {
    long cost = more + PIECE_BYTES;
    bytes += cost;
    long all = budget.bytes.addAndGet(cost);
    return all <= (bytes > Budget.SMALL_BYTES ? budget.bytesMax : budget.smallBytesMax);
  }

  @Override
  public void inboundWireSize(long more) {
    boolean room = arrived(more);
    Runnable refusal = onOverflow;
    if (!room && refusal != null) {
      onOverflow = null;
      refusal.run();
    }
  }

  @Override
  public void inboundMessageRead(int sequence, long wireSize, long size) {
    taken();
  }

  @Override
  public void streamClosed(io.grpc.Status status) {
    taken();
  }

  /** The message is whole or given up: its pieces are gone. */
  public void taken() {
    budget.bytes.addAndGet(-bytes);
    bytes = 0;
  }

  /**
   * The bytes that may arrive at a time, over all connections.
   *
   * <p>Full policy: refuse. The call whose bytes go beyond it ends with "too many requests"; those
   * of 64 KiB at most have half as much again, so that large ones don't shut them out. Thread-safe.
   */
  public static final class Budget extends ServerStreamTracer.Factory {
    private static final int SMALL_BYTES = 64 * 1024;

    private final long bytesMax;
    private final long smallBytesMax;
    private final AtomicLong bytes = new AtomicLong();

    /** A budget of so many bytes. */
    public Budget(long bytesMax) {
      this.bytesMax = bytesMax;
      this.smallBytesMax = bytesMax + bytesMax / 2;
    }

    /** For a message that doesn't come in a gRPC call. */
    public ArrivingBytes open() {
      return new ArrivingBytes(this);
    }

    /** Whether so much more could come now; nothing is set aside for it. */
    public boolean hasRoomFor(long promised) {
      return promised <= SMALL_BYTES || bytes.get() + promised <= bytesMax;
    }

    /** Bytes that wait for the rest of their message now. */
    public long bytes() {
      return bytes.get();
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
      return new ArrivingBytes(this);
    }
  }
}
