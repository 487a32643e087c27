package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.mvcc.KeyRange;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What an idle watcher costs on the heap beyond its stream, its keys of 20 bytes included. */
final class IdleWatcherBytesTest {
  private static final int STREAMS = 20;
  private static final int WATCHERS = 100_000;
  private static final long BYTES_MAX = 350;

  @Test
  void ofAKeyOfItsOwn() {
    check(i -> WatchRig.key(text(i)));
  }

  @Test
  void ofARangeThatOthersWatchToo() {
    check(i -> WatchRig.range(text(i % 10), text(i % 10 + 1)));
  }

  private static String text(int i) {
    return String.format("registry/pods/%06d", i);
  }

  private static void check(IntFunction<KeyRange> ranges) {
    WatchRig rig = new WatchRig(WatchLimits.defaults());
    List<WatchStream> streams = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      streams.add(rig.store.open(() -> {}));
    }
    long before = used();
    for (int i = 0; i < WATCHERS; i++) {
      streams.get(i % STREAMS).create(WatchRig.watch(ranges.apply(i), 0));
    }
    rig.run();
    for (WatchStream stream : streams) {
      for (WatchMessage message = stream.poll(); message != null; message = stream.poll()) {
        assertTrue(message instanceof WatchMessage.Created);
      }
    }
    long each = (used() - before) / WATCHERS;
    assertEquals(WATCHERS, rig.store.gauges().synced());
    assertTrue(each <= BYTES_MAX, () -> "bytes of an idle watcher: " + each);
  }

  private static long used() {
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
