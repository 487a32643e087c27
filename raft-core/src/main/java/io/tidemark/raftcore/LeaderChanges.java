package io.tidemark.raftcore;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts the leaders that a member comes to know, one after the other. */
final class LeaderChanges {
  private final AtomicLong seen = new AtomicLong();

  /** Thread: timer. */
  private @Nullable String last;

  /** Who leads now, as far as is known. Thread: timer. */
  void look(@Nullable String leader) {
    if (leader != null && !leader.equals(last)) {
      last = leader;
      seen.incrementAndGet();
    }
  }

  /** Since the start; the first one counts. Any thread. */
  long seen() {
    return seen.get();
  }
}
