package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.mvcc.KeyRange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Progress, asked for and by time. */
final class WatchProgressTest {
  private static final KeyRange A = WatchRig.key("a");
  private static final KeyRange B = WatchRig.key("b");

  private final WatchRig rig = new WatchRig(WatchRig.SMALL);
  private final StreamProbe stream = rig.open();

  private List<String> answers() {
    rig.run();
    return stream.readAll();
  }

  private static WatchSpec notified(KeyRange range, long start, long id) {
    return new WatchSpec(range, start, id, true, false, false, false, false);
  }

  @Test
  void anEmptyStreamIsSilent() {
    stream.progress();
    assertEquals(List.of(), answers());
  }

  @Test
  void allSyncedIsOneAnswerForTheWholeStreamBehindTheEvents() {
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(B, 0));
    answers();
    rig.put("a", "1");
    rig.put("c", "1");
    rig.turn();
    stream.progress();
    assertEquals(List.of("events 0 @3 x1", "progress -1 @3"), answers());
  }

  @Test
  void theAnswerNamesTheDispatchedRevisionEvenWhileMoreIsWritten() {
    stream.create(WatchRig.watch(A, 0));
    answers();
    rig.put("b", "1");
    rig.turn();
    stream.progress();
    rig.put("b", "2"); // readable and published, not dispatched when the request is carried out
    rig.turn();
    assertEquals("progress -1 @2", stream.read());
  }

  @Test
  void aNewWatcherHoldsTheAnswerUntilItsCreatedRevisionIsDispatched() {
    rig.model.write(List.of(new ModelHistory.Op("a", "1"))); // readable, not published yet
    stream.create(WatchRig.watch(A, 0));
    stream.progress();
    assertEquals(List.of("created 0 @2"), answers());
  }

  @Test
  void aFutureWatcherMutesTheStreamButNotItsSiblings() {
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(A, 4));
    answers();
    stream.progress();
    assertEquals(List.of("progress 0 @1"), answers());
    rig.put("b", "1");
    rig.put("b", "2");
    rig.advance(Duration.ofMillis(100));
    rig.run();
    stream.progress();
    assertEquals(List.of("progress 0 @3"), answers());
    rig.put("b", "3");
    rig.run();
    stream.progress();
    assertEquals(List.of("progress -1 @4"), answers());
  }

  @Test
  void answersBySingleWatchersAreRateLimited() {
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(A, 100));
    answers();
    stream.progress();
    stream.progress();
    assertEquals(List.of("progress 0 @1"), answers());
    rig.advance(Duration.ofMillis(99));
    stream.progress();
    assertEquals(List.of(), answers());
    rig.advance(Duration.ofMillis(1));
    stream.progress();
    assertEquals(List.of("progress 0 @1"), answers());
  }

  @Test
  void aCancelledFutureWatcherMutesNoLonger() {
    stream.create(WatchRig.watch(A, 0));
    stream.create(WatchRig.watch(A, 100));
    stream.cancel(1);
    answers();
    stream.progress();
    assertEquals(List.of("progress -1 @1"), answers());
  }

  @Test
  void aCompactedWatcherMutesNobodyAndAloneIsSilent() {
    rig.puts("b", 5);
    rig.compact(4);
    stream.create(WatchRig.watch(A, 2));
    answers();
    stream.progress();
    assertEquals(List.of(), answers());
    stream.create(WatchRig.watch(A, 0));
    answers();
    stream.progress();
    assertEquals(List.of("progress -1 @6"), answers());
  }

  @Test
  void unreadAnswersDontPileUp() {
    stream.create(WatchRig.watch(A, 0));
    answers();
    for (int i = 0; i < 50; i++) {
      rig.put("b", "1");
      rig.turn();
      stream.progress();
      rig.turn();
    }
    assertEquals(List.of("progress -1 @51"), answers());
  }

  @Test
  void unreadAnswersBehindEventsDontPileUp() {
    stream.create(WatchRig.watch(A, 0));
    answers();
    rig.put("a", "1");
    for (int i = 0; i < 50; i++) {
      rig.put("b", "1");
      rig.turn();
      stream.progress();
      rig.turn();
    }
    assertEquals(List.of("events 0 @3 x1", "progress -1 @52"), answers());
  }

  @Test
  void anAnswerForAllIsNotTakenForAWatcherCreatedMeanwhile() {
    rig.put("b", "old");
    rig.run();
    stream.create(WatchRig.watch(A, 0));
    answers();
    rig.put("a", "1");
    rig.turn();
    stream.progress();
    stream.create(WatchRig.watch(B, 1)); // its event 2 comes after its created message
    assertEquals(List.of("created 1 @3", "events 0 @3 x1", "events 1 @3 x1"), answers());
  }

  @Test
  void anAnswerWithNothingAheadGoesBeforeTheNextCreated() {
    stream.create(WatchRig.watch(A, 0));
    answers();
    stream.progress();
    stream.create(WatchRig.watch(B, 1));
    assertEquals(List.of("progress -1 @1", "created 1 @1"), answers());
  }

  @Test
  void timedProgressComesWithinTheIntervalPlusATenthToThoseWhoAskedForIt() {
    stream.create(notified(A, 0, 1));
    stream.create(WatchRig.watch(A, 0, 2));
    answers();
    rig.put("b", "1");
    rig.advance(Duration.ofMillis(999));
    assertEquals(List.of(), answers());
    rig.advance(Duration.ofMillis(102));
    assertEquals(List.of("progress 1 @2"), answers());
    rig.advance(Duration.ofMillis(1_101));
    assertEquals(List.of("progress 1 @2"), answers());
  }

  @Test
  void timedProgressDoesNotMoveUpBeforeAnOlderAnswerForAll() {
    stream.create(notified(A, 0, 1));
    answers();
    rig.put("a", "1");
    rig.run();
    for (int i = 0; i < 2; i++) { // the event makes up for the first tick
      rig.advance(Duration.ofMillis(1_101));
      rig.run();
    }
    stream.progress();
    rig.run();
    rig.put("b", "1");
    rig.advance(Duration.ofMillis(1_101));
    assertEquals(
        List.of("events 1 @2 x1", "progress 1 @2", "progress -1 @2", "progress 1 @3"), answers());
  }

  @Test
  void eventsSinceTheLastTickSkipOneTick() {
    stream.create(notified(A, 0, 1));
    answers();
    rig.put("a", "1");
    answers();
    rig.advance(Duration.ofMillis(1_101));
    assertEquals(List.of(), answers());
    rig.advance(Duration.ofMillis(1_101));
    assertEquals(List.of("progress 1 @2"), answers());
  }

  @Test
  void timedProgressIgnoresFiltersAndWaitsForTheStart() {
    stream.create(new WatchSpec(A, 0, 1, true, true, true, false, false));
    stream.create(notified(A, 3, 2));
    answers();
    rig.put("a", "1");
    rig.advance(Duration.ofMillis(1_101));
    assertEquals(List.of("progress 1 @2"), answers());
    rig.put("b", "2");
    rig.advance(Duration.ofMillis(1_101));
    assertEquals(List.of("progress 1 @3", "progress 2 @3"), answers());
  }

  @Test
  void aSlowWatcherGetsNoTimedProgress() {
    stream.create(notified(A, 0, 1));
    answers();
    rig.puts("a", 200);
    rig.run();
    assertEquals(1, rig.store.gauges().victims());
    rig.advance(Duration.ofMillis(2_500));
    rig.run();
    rig.advance(Duration.ofMillis(2_500));
    rig.run();
    assertTrue(stream.readAll().stream().allMatch(message -> message.startsWith("events")));
  }
}
