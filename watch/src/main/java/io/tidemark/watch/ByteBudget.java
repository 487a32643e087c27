package io.tidemark.watch;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes and events queued for all streams of the member. Thread: any. */
final class ByteBudget {
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong events = new AtomicLong();

  ByteBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  boolean fits(long more) {
    return bytes.get() + more <= bytesMax;
  }

  void add(long moreBytes, long moreEvents) {
    bytes.addAndGet(moreBytes);
    events.addAndGet(moreEvents);
  }

  long bytes() {
    return bytes.get();
  }

  long events() {
    return events.get();
  }
}
