package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.mvcc.KeyRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Falling behind and catching up: bounds, fairness and what is read how often. */
final class LaggingTest {
  private static final KeyRange A = WatchRig.key("a");
  private static final KeyRange B = WatchRig.key("b");

  private static WatchLimits limits(int ringRevisions, long streamBytes, long serverBytes) {
    return new WatchLimits(
        1 << 20, ringRevisions, streamBytes, serverBytes, 1_024, 5, 600, Duration.ofSeconds(1));
  }

  @Test
  void catchUpListsEndAtRevisionBordersWithinTheirBounds() {
    WatchRig rig = new WatchRig(limits(16, 1 << 20, 1 << 20));
    StreamProbe stream = rig.open();
    for (int i = 0; i < 9; i++) {
      rig.write(new ModelHistory.Op("a", "1"), new ModelHistory.Op("aa", "1"));
    }
    rig.put("a", "x".repeat(900));
    rig.put("a", "x".repeat(900));
    rig.put("a", "x".repeat(5_000)); // larger than a list may be: goes alone
    rig.put("a", "1");
    rig.puts("z", 40);
    rig.turn();
    stream.create(WatchRig.watch(WatchRig.range("a", "b"), 1));
    rig.run();
    assertEquals(
        List.of(
            "created 0 @54",
            // Two lists of catching up, as both wait and are small.
            "events 0 @10 x18",
            "events 0 @11 x1",
            "events 0 @12 x1",
            "events 0 @13 x1",
            // Read to the end: nothing else matches, so the header is the present revision.
            "events 0 @54 x1"),
        stream.readAll());
  }

  @Test
  void revisionsOfOneTurnAreOneList() {
    WatchRig rig = new WatchRig(limits(16, 1 << 20, 1 << 20));
    StreamProbe stream = rig.open();
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(A, 4));
    rig.runAndRead();
    rig.puts("a", 3);
    rig.put("b", "1");
    rig.turn();
    assertEquals("events 1 @5 x1", stream.read());
    assertEquals("events 0 @5 x3", stream.read());
    rig.checkComplete();
  }

  @Test
  void listsThatWaitTogetherGoOutAsOneUpToABound() {
    WatchRig roomy = new WatchRig(WatchLimits.defaults());
    StreamProbe probe = roomy.open();
    probe.create(WatchRig.watch(A, 0));
    roomy.runAndRead();
    for (int i = 0; i < 5; i++) {
      roomy.put("a", "x".repeat(10_000)); // three of them are below 32 KiB, four are not
      roomy.run();
    }
    probe.progress();
    roomy.run();
    roomy.put("a", "1");
    roomy.run();
    roomy.put("a", "2");
    roomy.run();
    assertEquals(
        List.of("events 0 @4 x3", "events 0 @6 x2", "progress -1 @6", "events 0 @8 x2"),
        probe.readAll());
  }

  @Test
  void aVictimComesBackThroughTheRingAlone() {
    WatchRig rig = new WatchRig(limits(1_024, 4_096, 1 << 20));
    StreamProbe stream = rig.open();
    stream.create(WatchRig.watch(A, 0));
    rig.runAndRead();
    rig.puts("a", 200);
    rig.run();
    WatchGauges full = rig.store.gauges();
    assertEquals(List.of(0, 0, 1), List.of(full.synced(), full.unsynced(), full.victims()));
    assertTrue(full.queuedBytes() <= 4_096);
    while (rig.store.gauges().queuedBytes() > 2_048) {
      assertEquals(0, rig.turn(), "nothing to do before the queue is below half");
      stream.read();
    }
    rig.checkComplete();
    assertEquals(200, stream.seen(0).events.size());
    assertEquals(0, rig.store.gauges().diskRevisions());
    assertEquals(1, rig.store.gauges().synced());
  }

  @Test
  void theSlowestAreNamedOldestFirst() {
    WatchRig rig = new WatchRig(limits(1_024, 4_096, 1 << 20));
    StreamProbe stream = rig.open();
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(B, 0));
    rig.runAndRead();
    rig.puts("a", 200);
    rig.run(); // nobody reads: the stream is full
    var first = rig.store.slowest();
    var second = rig.store.slowest();
    rig.turn();
    assertSame(first, second, "one question is open at a time");
    SlowWatcher victim = first.join().get(0);
    assertEquals(1, first.join().size());
    assertEquals(new SlowWatcher(0, "test", A, true, victim.nextRevision()), victim);
    assertTrue(victim.nextRevision() > 1 && victim.nextRevision() < 202, victim::toString);
    rig.runAndRead();
    var nobody = rig.store.slowest();
    rig.turn();
    assertEquals(List.of(), nobody.join());
  }

  @Test
  void aHeavyWatcherDoesNotPushOutALightOne() {
    WatchRig rig = new WatchRig(limits(16, 4_096, 1 << 20));
    StreamProbe stream = rig.open();
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(B, 0));
    rig.runAndRead();
    rig.puts("a", 100);
    rig.run();
    rig.put("b", "1");
    rig.run();
    WatchGauges now = rig.store.gauges();
    assertEquals(List.of(1, 1), List.of(now.victims(), now.synced()));
    rig.checkComplete();
  }

  @Test
  void watchersTakeTurnsOfSomeBytes() {
    WatchRig rig = new WatchRig(limits(1_024, 1 << 20, 1 << 20));
    StreamProbe stream = rig.open();
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(B, 0));
    rig.runAndRead();
    for (int i = 0; i < 50; i++) {
      rig.put("a", "x".repeat(10_000));
    }
    rig.put("b", "1");
    rig.run();
    List<String> read = stream.readAll();
    assertEquals(7, read.indexOf("events 1 @52 x1"), "after 64 KiB of the other");
    assertEquals(51, read.size());
  }

  @Test
  void aFullServerStillServesStreamsWithNothingQueued() {
    WatchRig rig = new WatchRig(limits(16, 4_096, 8_192));
    List<StreamProbe> stalled = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      stalled.add(rig.open());
      stalled.get(i).create(WatchRig.watch(A, 0));
    }
    rig.runAndRead();
    rig.puts("a", 100);
    rig.run();
    long bound = 8_192 + 20 * (1_024 + Outbox.MESSAGE_BYTES);
    assertTrue(rig.store.gauges().queuedBytes() <= bound, () -> rig.store.gauges().toString());
    StreamProbe healthy = rig.open();
    healthy.create(WatchRig.watch(B, 0));
    rig.run();
    rig.put("b", "1");
    rig.run();
    assertEquals(List.of("created 0 @101", "events 0 @102 x1"), healthy.readAll());
    rig.checkComplete();
  }

  @Test
  void watchersWithNearCursorsShareOneScan() {
    WatchRig rig = new WatchRig(limits(16, 1 << 20, 1 << 24));
    List<StreamProbe> streams = new ArrayList<>();
    rig.puts("a", 1_000);
    rig.turn();
    while (rig.turn() > 0) {}
    for (int i = 0; i < 100; i++) {
      StreamProbe stream = rig.open();
      streams.add(stream);
      stream.create(WatchRig.watch(A, 2 + i % 3));
    }
    rig.checkComplete();
    // The first stretch is handed out for whoever is in line; from then on they go together.
    assertTrue(rig.store.gauges().diskRevisions() < 1_100, () -> rig.store.gauges().toString());
    streams.forEach(stream -> assertTrue(stream.seen(0).events.size() >= 998));
  }

  @Test
  void aWatcherThatIsFarBehindDoesNotHoldUpLiveOnes() {
    WatchRig rig = new WatchRig(limits(16, 1 << 20, 1 << 24));
    StreamProbe behind = rig.open();
    StreamProbe live = rig.open();
    live.create(WatchRig.watch(B, 0));
    rig.run();
    live.readAll();
    rig.puts("a", 500);
    rig.run();
    behind.create(WatchRig.watch(A, 1));
    rig.turn(); // handed to a cursor thread, which doesn't run
    rig.put("b", "1");
    rig.turn();
    assertEquals("events 0 @502 x1", live.read());
    rig.checkComplete();
  }

  @Test
  void overrunOfTheRingIsReadFromTheStore() {
    WatchRig rig = new WatchRig(limits(16, 1 << 20, 1 << 20));
    StreamProbe stream = rig.open();
    stream.create(WatchRig.watch(A, 0));
    rig.runAndRead();
    rig.puts("a", 100); // the dispatcher had no turn meanwhile
    rig.turn();
    assertEquals(1, rig.store.gauges().unsynced());
    rig.checkComplete();
    assertEquals(100, stream.seen(0).events.size());
    assertTrue(rig.store.gauges().diskRevisions() > 80);
  }

  @Test
  void compactionLooksAtLaggingWatchersOnly() {
    WatchRig rig = new WatchRig(limits(16, 4_096, 1 << 20));
    StreamProbe live = rig.open();
    live.create(WatchRig.watch(B, 0));
    StreamProbe slow = rig.open();
    slow.create(WatchRig.watch(A, 0));
    rig.runAndRead();
    rig.puts("a", 100);
    rig.run();
    rig.compact(101);
    rig.run();
    assertEquals(1, rig.store.gauges().watchers());
    // What was queued before stays true and is delivered, then the end.
    List<String> read = slow.readAll();
    assertEquals("compacted 0 101", read.get(read.size() - 1));
    rig.put("b", "1");
    rig.run();
    assertEquals(List.of("events 0 @102 x1"), live.readAll());
  }
}
