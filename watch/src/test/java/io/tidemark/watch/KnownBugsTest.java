package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.mvccpb.Event;
import io.tidemark.mvcc.KeyRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Consistency bugs that other servers had, each named after its number in etcd's tracker. The
 * probes check every message; the tests set the scene.
 */
final class KnownBugsTest {
  private static final KeyRange A = WatchRig.key("a");
  private static final KeyRange ALL = KeyRange.from(WatchRig.bytes("\0"));

  private final WatchRig rig = new WatchRig(WatchRig.SMALL);
  private final StreamProbe stream = rig.open();

  /** Requested progress overtook queued events. */
  @Test
  void bug15220() {
    rig.puts("a", 3_000);
    rig.run();
    stream.create(WatchRig.watch(A, 1));
    int answers = 0;
    for (int i = 0; i < 5_000; i++) {
      stream.progress(); // the probe objects to an answer ahead of an event
      rig.turn();
      rig.cursorTurn();
      String message = stream.read();
      answers += message != null && message.equals("progress -1 @3001") ? 1 : 0;
    }
    assertEquals(3_000, stream.seen(0).events.size());
    assertTrue(answers > 0, "never answered");
  }

  /** After a snapshot install a watcher went back in time. */
  @Test
  void bug15271() {
    stream.create(WatchRig.watch(A, 0));
    rig.puts("a", 5);
    rig.runAndRead();
    StreamProbe behind = rig.open();
    behind.create(WatchRig.watch(A, 2));
    rig.turn();
    rig.restoreAhead("a", 500);
    assertEquals(0, rig.store.gauges().synced());
    rig.runAndRead();
    rig.puts("a", 5);
    rig.checkComplete();
    // The first watcher was created at revision 6, when the five puts were readable.
    assertEquals(505, stream.seen(0).events.size());
    assertEquals(510, behind.seen(0).events.size());
  }

  /** A synced watcher whose position the new store compacted is told so, once. */
  @Test
  void bug15271WithCompaction() {
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(A, 1_000));
    rig.runAndRead();
    for (int i = 0; i < 100; i++) {
      rig.model.write(List.of(new ModelHistory.Op("a", "s" + i)));
    }
    rig.model.compact(50);
    rig.store.restored();
    rig.runAndRead();
    assertEquals(50, stream.seen(0).compacted);
    assertEquals(0, stream.seen(1).compacted);
    assertEquals(1, stream.compactCancels);
    rig.puts("a", 1_000);
    rig.checkComplete();
    assertEquals(1_000, stream.seen(1).events.get(0).getKv().getModRevision());
  }

  /** An event was delivered twice. */
  @Test
  void bug17247() {
    stream.create(WatchRig.watch(ALL, 0));
    rig.runAndRead();
    for (int i = 0; i < 50; i++) {
      rig.write(
          new ModelHistory.Op("a", "1"),
          new ModelHistory.Op("missing", null),
          new ModelHistory.Op("b", i % 3 == 0 ? null : "2"),
          new ModelHistory.Op("c", "3"));
      rig.write(new ModelHistory.Op("missing", null)); // no revision
    }
    rig.checkComplete();
    List<String> seen = new ArrayList<>();
    for (Event event : stream.seen(0).events) {
      seen.add(event.getKv().getModRevision() + event.getKv().getKey().toStringUtf8());
    }
    assertEquals(seen.size(), seen.stream().distinct().count());
  }

  /** Slow watchers below the compact revision got no cancel and turned silent. */
  @Test
  void bug17529() {
    for (int watchers : new int[] {400, 600, 1_500}) {
      WatchRig crowd = new WatchRig(WatchRig.SMALL);
      StreamProbe unread = crowd.open();
      crowd.puts("a", 100);
      crowd.compact(50);
      for (int i = 0; i < watchers; i++) {
        unread.create(WatchRig.watch(A, 10));
      }
      crowd.run();
      crowd.compact(60);
      crowd.runAndRead();
      assertEquals(watchers, unread.all().size());
      assertEquals(watchers, unread.compactCancels);
      assertEquals(0, crowd.store.gauges().watchers());
    }
  }

  /** The same for watchers that were fine and then stopped reading. */
  @Test
  void bug17529WithAFullQueue() {
    for (int i = 0; i < 600; i++) {
      stream.create(WatchRig.watch(A, 0));
    }
    rig.runAndRead();
    rig.puts("a", 100);
    rig.run();
    assertTrue(rig.store.gauges().victims() > 0);
    rig.compact(101);
    rig.run();
    assertEquals(0, rig.store.gauges().victims());
    rig.runAndRead();
    long silent =
        stream.all().values().stream()
            .filter(watcher -> watcher.compacted == 0 && watcher.next <= 101)
            .count();
    assertEquals(0, silent);
    rig.checkComplete();
  }

  /** The DELETE at the compact revision vanished. */
  @Test
  void bug18089() {
    rig.put("a", "1");
    rig.delete("a");
    rig.puts("b", 40);
    rig.run();
    rig.compact(3);
    stream.create(new WatchSpec(A, 3, 0, false, false, false, false, false));
    rig.runAndRead();
    Event only = stream.seen(0).events.get(0);
    assertEquals(1, stream.seen(0).events.size());
    assertEquals(Event.EventType.DELETE, only.getType());
    assertEquals(3, only.getKv().getModRevision());
    assertTrue(rig.store.gauges().diskRevisions() > 0);
  }

  /** A watcher of a future revision got progress below its start. */
  @Test
  void bug20221a() {
    stream.create(new WatchSpec(A, 50, 0, true, false, false, false, false));
    for (int i = 0; i < 60; i++) {
      rig.put("b", "1");
      stream.progress();
      rig.advance(Duration.ofMillis(600));
      rig.runAndRead(); // the probe objects to progress below 50
    }
    rig.checkComplete();
  }

  /** ... and old events after a snapshot install. */
  @Test
  void bug20221b() {
    stream.create(WatchRig.watch(A, 50));
    rig.puts("a", 5);
    rig.runAndRead();
    rig.restoreAhead("a", 20);
    rig.runAndRead();
    assertEquals(List.of(), stream.seen(0).events);
    rig.restoreAhead("a", 60);
    rig.checkComplete();
    assertEquals(50, stream.seen(0).events.get(0).getKv().getModRevision());
    assertEquals(86 - 50 + 1, stream.seen(0).events.size());
  }
}
