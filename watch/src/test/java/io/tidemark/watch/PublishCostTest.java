package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.tidemark.mvcc.RevisionBatch;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** I11: what the apply thread does for watchers doesn't depend on how many there are. */
final class PublishCostTest {
  private static final int BATCHES = 500;
  private static final int ROUNDS = 5;

  @Test
  void publishingAllocatesTheSameWithManyWatchers() {
    long none = bytesAllocated(0);
    long many = bytesAllocated(20_000);
    assertTrue(none < BATCHES * 200L, () -> "bytes for " + BATCHES + " batches: " + none);
    assertTrue(
        Math.abs(many - none) <= BATCHES, () -> none + " without, " + many + " with watchers");
  }

  /** Bytes that this thread allocates to publish, when nothing was dispatched meanwhile. */
  private static long bytesAllocated(int watchers) {
    WatchRig rig = new WatchRig(WatchLimits.defaults());
    StreamProbe stream = rig.open();
    for (int i = 0; i < watchers; i++) {
      stream.stream().create(WatchRig.watch(WatchRig.key("k" + i % 100), 0));
    }
    rig.run();
    assertEquals(watchers, rig.store.gauges().synced());
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE; // the first round also loads classes
    for (int round = 0; round < ROUNDS; round++) {
      List<List<RevisionBatch>> entries = new ArrayList<>();
      for (int i = 0; i < BATCHES; i++) {
        ModelHistory.Op op = new ModelHistory.Op("k" + i % 100, "v");
        entries.add(List.of(Objects.requireNonNull(rig.model.write(List.of(op)))));
      }
      long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      for (List<RevisionBatch> entry : entries) {
        rig.store.publish(entry);
      }
      long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      least = Math.min(least, after - before);
    }
    return least;
  }
}
