package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.mvccpb.Event;
import io.tidemark.mvcc.KeyRange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Creating and cancelling watchers: ids, starts, refusals and the order of answers. */
final class WatchCreateTest {
  private static final KeyRange A = WatchRig.key("a");
  private static final KeyRange ALL = KeyRange.from(WatchRig.bytes("\0"));

  private final WatchRig rig = new WatchRig(WatchRig.SMALL);
  private final StreamProbe stream = rig.open();

  private List<String> answers() {
    rig.run();
    return stream.readAll();
  }

  @Test
  void idsCountFromZeroAndSkipThoseInUse() {
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(A, 0, 1));
    stream.create(WatchRig.watch(A, 0, 2));
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(A, 0));
    assertEquals(
        List.of("created 0 @1", "created 1 @1", "created 2 @1", "created 3 @1", "created 4 @1"),
        answers());
  }

  @Test
  void anIdThatWasFreedIsNotChosenAgainByTheCounter() {
    stream.create(WatchRig.watch(A, 0));
    stream.cancel(0);
    stream.create(WatchRig.watch(A, 0));
    rig.run();
    assertEquals(new WatchMessage.Created(0, 1), stream.stream().poll());
    assertEquals(new WatchMessage.Canceled(0, 1), stream.stream().poll());
    assertEquals(new WatchMessage.Created(1, 1), stream.stream().poll());
    assertNull(stream.stream().poll());
  }

  @Test
  void refusalsKeepTheirPlaceAndTheStreamLives() {
    stream.create(WatchRig.watch(WatchRig.range("b", "a"), 0));
    stream.create(WatchRig.watch(WatchRig.range("b", "b"), 0));
    stream.create(WatchRig.watch(A, 0, 5));
    stream.create(WatchRig.watch(A, 0, 5));
    stream.create(WatchRig.watch(A, -1));
    stream.create(WatchRig.watch(A, 0, -1));
    stream.create(WatchRig.watch(A, 0));
    assertEquals(
        List.of(
            "refused @1 mvcc: watcher range is empty",
            "refused @1 mvcc: watcher range is empty",
            "created 5 @1",
            "refused @1 mvcc: duplicate watch ID provided on the WatchStream",
            "refused @1 etcdserver: mvcc: required revision has been compacted",
            "refused @1 mvcc: duplicate watch ID provided on the WatchStream",
            "created 0 @1"),
        answers());
    rig.put("a", "1");
    rig.run();
    assertEquals(2, stream.readAll().size());
    stream.checkComplete();
  }

  @Test
  void aRejectionFromOutsideKeepsItsPlace() {
    stream.stream().create(WatchRig.watch(A, 0));
    stream.stream().reject("no");
    stream.stream().create(WatchRig.watch(A, 0));
    rig.run();
    assertEquals(new WatchMessage.Created(0, 1), stream.stream().poll());
    assertEquals(new WatchMessage.Refused("no", 1), stream.stream().poll());
    assertEquals(new WatchMessage.Created(1, 1), stream.stream().poll());
  }

  @Test
  void startZeroCoversExactlyWhatComesAfterTheHeader() {
    rig.puts("a", 3); // not dispatched yet: registration counts, not dispatch
    stream.create(WatchRig.watch(A, 0));
    rig.put("a", "next");
    // The request is carried out when revision 5 is readable.
    assertEquals(List.of("created 0 @5"), answers());
    rig.put("a", "6");
    assertEquals(List.of("events 0 @6 x1"), answers());
  }

  @Test
  void aStartInThePastIsReplayedThenLive() {
    rig.puts("a", 3);
    rig.run();
    stream.create(WatchRig.watch(A, 2));
    assertEquals(List.of("created 0 @4", "events 0 @4 x3"), answers());
    rig.put("a", "5");
    assertEquals(List.of("events 0 @5 x1"), answers());
    assertEquals(0, rig.store.gauges().diskRevisions());
  }

  @Test
  void aStartInTheFutureIsSilentTillThen() {
    stream.create(WatchRig.watch(A, 5));
    rig.puts("a", 3);
    assertEquals(List.of("created 0 @4"), answers());
    rig.puts("a", 2);
    assertEquals(List.of("events 0 @6 x2"), answers());
  }

  @Test
  void aStartAtTheCompactRevisionIsAllowedAndBelowItIsNot() {
    rig.puts("a", 5);
    rig.run();
    rig.compact(4);
    stream.create(WatchRig.watch(A, 4));
    stream.create(WatchRig.watch(A, 3));
    assertEquals(
        List.of("created 0 @6", "created 1 @6", "compacted 1 4", "events 0 @6 x3"), answers());
    assertEquals(1, rig.store.gauges().watchers());
  }

  @Test
  void aCompactedWatcherKeepsItsIdUntilItIsCancelled() {
    rig.puts("a", 5);
    rig.compact(4);
    stream.create(WatchRig.watch(A, 1, 9));
    stream.create(WatchRig.watch(A, 0, 9));
    assertEquals(
        List.of(
            "created 9 @6",
            "refused @6 mvcc: duplicate watch ID provided on the WatchStream",
            "compacted 9 4"),
        answers());
    stream.cancel(9);
    stream.create(WatchRig.watch(A, 0, 9));
    assertEquals(List.of("canceled 9 @6", "created 9 @6"), answers());
  }

  @Test
  void aCancelOfAnUnknownIdGetsNoAnswer() {
    stream.stream().cancel(3);
    assertEquals(List.of(), answers());
    stream.create(WatchRig.watch(A, 0));
    stream.cancel(0);
    stream.stream().cancel(0);
    assertEquals(List.of("created 0 @1", "canceled 0 @1"), answers());
  }

  @Test
  void cancelPurgesWhatIsQueuedSoThatAReusedIdStartsClean() {
    stream.create(WatchRig.watch(A, 0, 7));
    assertEquals(List.of("created 7 @1"), answers());
    rig.puts("a", 3);
    rig.run();
    stream.cancel(7);
    stream.create(WatchRig.watch(WatchRig.key("b"), 0, 7));
    assertEquals(List.of("canceled 7 @4", "created 7 @4"), answers());
    rig.put("a", "x");
    rig.put("b", "y");
    assertEquals(List.of("events 7 @6 x1"), answers());
    assertEquals(0, rig.store.gauges().queuedBytes());
  }

  @Test
  void cancelFindsAWatcherInTheMiddleOfACatchUp() {
    WatchRig disk = new WatchRig(WatchRig.SMALL);
    StreamProbe reader = disk.open();
    disk.puts("a", 60);
    disk.turn();
    reader.create(WatchRig.watch(A, 1, 7));
    disk.turn(); // handed to a cursor thread
    disk.cursorTurn(); // read, not taken in yet
    reader.cancel(7);
    reader.create(WatchRig.watch(WatchRig.key("b"), 0, 7));
    disk.runAndRead();
    assertEquals(List.of(), reader.seen(7).events);
    assertTrue(disk.store.gauges().diskRevisions() > 0);
  }

  @Test
  void createdIsNotStuckBehindEvents() {
    stream.create(WatchRig.watch(ALL, 0));
    answers();
    rig.puts("a", 8);
    rig.run();
    stream.create(WatchRig.watch(A, 0));
    rig.run();
    assertEquals("created 1 @9", stream.read());
    assertEquals("events 0 @9 x8", stream.read());
  }

  @Test
  void filtersDropEventsAndEmptyListsAreNotSent() {
    stream.create(new WatchSpec(A, 0, 1, false, true, false, false, false));
    stream.create(new WatchSpec(A, 0, 2, false, false, true, false, false));
    stream.create(new WatchSpec(A, 0, 3, false, true, true, false, false));
    answers();
    rig.put("a", "1");
    assertEquals(List.of("events 2 @2 x1"), answers());
    rig.delete("a");
    assertEquals(List.of("events 1 @3 x1"), answers());
  }

  @Test
  void twoWatchersOnOneKeyDifferInPreviousValuesOnly() {
    stream.create(new WatchSpec(A, 0, 1, false, false, false, true, false));
    stream.create(new WatchSpec(A, 0, 2, false, false, false, false, false));
    answers();
    rig.put("a", "1");
    rig.put("a", "2");
    rig.delete("a");
    rig.put("a", "3");
    rig.runAndRead();
    assertEquals(List.of(false, true, true, false), hasPrevious(stream.seen(1)));
    assertEquals(List.of(false, false, false, false), hasPrevious(stream.seen(2)));
  }

  private static List<Boolean> hasPrevious(StreamProbe.Seen watcher) {
    return watcher.events.stream().map(Event::hasPrevKv).toList();
  }

  @Test
  void oneRevisionIsOneListUnlessPiecesAreAllowed() {
    stream.create(new WatchSpec(ALL, 0, 1, false, false, false, false, true));
    stream.create(new WatchSpec(ALL, 0, 2, false, false, false, false, false));
    answers();
    String big = "x".repeat(180);
    rig.write(
        new ModelHistory.Op("a", big),
        new ModelHistory.Op("b", big),
        new ModelHistory.Op("c", big),
        new ModelHistory.Op("d", big),
        new ModelHistory.Op("e", big));
    rig.run();
    // 5 events of 201 bytes against pieces below 600 bytes.
    assertEquals(
        List.of("events 2 @2 x5", "piece 1 x2", "piece 1 x2", "events 1 @2 x5"), answers());
  }

  @Test
  void closingFreesEverything() {
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(ALL, 0));
    answers();
    rig.puts("a", 3);
    rig.run();
    assertTrue(rig.store.gauges().queuedBytes() > 0);
    stream.stream().close();
    assertEquals(0, rig.store.gauges().queuedBytes());
    stream.stream().close();
    rig.puts("a", 3);
    rig.run();
    WatchGauges end = rig.store.gauges();
    assertEquals(0, end.watchers() + end.streams() + end.queuedBytes() + end.pendingEvents());
    assertNull(stream.stream().poll());
  }

  @Test
  void theOwnerIsAskedToWaitWithTooManyUnansweredRequests() {
    for (int i = 0; i < 1_023; i++) {
      stream.create(WatchRig.watch(A, 0));
      assertTrue(stream.stream().acceptsRequests());
    }
    stream.create(WatchRig.watch(A, 0));
    assertEquals(false, stream.stream().acceptsRequests());
    rig.run();
    assertEquals(false, stream.stream().acceptsRequests(), "answers are bounded as well");
    stream.read();
    assertTrue(stream.stream().acceptsRequests());
  }
}
