package io.tidemark.server.rpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of one call's request message that have arrived while the rest has not: they
 * wait in network buffers, and HTTP/2 windows don't bound them.
 *
 * <p>Thread: the call's event loop.
 */
public final class ArrivingBytes extends ServerStreamTracer {
  private static final Context.Key<ArrivingBytes> KEY = Context.key("tidemark-arriving-bytes");

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

  @Override
  public void inboundWireSize(long more) {
    bytes += more;
    long all = budget.bytes.addAndGet(more);
    Runnable refusal = onOverflow;
    if (all > budget.bytesMax && bytes > Budget.SMALL_BYTES && refusal != null) {
      onOverflow = null;
      refusal.run();
    }
  }

  @Override
  public void inboundMessageRead(int sequence, long wireSize, long size) {
    release();
  }

  @Override
  public void streamClosed(io.grpc.Status status) {
    release();
  }

  private void release() {
    budget.bytes.addAndGet(-bytes);
    bytes = 0;
  }

  /**
   * The bytes that may arrive at a time, over all connections.
   *
   * <p>Full policy: refuse. The call whose bytes go beyond it ends with "too many requests"; small
   * requests always pass. Thread-safe.
   */
  public static final class Budget extends ServerStreamTracer.Factory {
    private static final int SMALL_BYTES = 64 * 1024;

    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();

    /** A budget of so many bytes. */
    public Budget(long bytesMax) {
      this.bytesMax = bytesMax;
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
