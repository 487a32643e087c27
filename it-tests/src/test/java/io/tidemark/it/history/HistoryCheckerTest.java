package io.tidemark.it.history;

import static io.tidemark.it.history.Story.changed;
import static io.tidemark.it.history.Story.delete;
import static io.tidemark.it.history.Story.kv;
import static io.tidemark.it.history.Story.log;
import static io.tidemark.it.history.Story.op;
import static io.tidemark.it.history.Story.put;
import static io.tidemark.it.history.Story.rejected;
import static io.tidemark.it.history.Story.seen;
import static io.tidemark.it.history.Story.unknown;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.history.Action.Delete;
import io.tidemark.it.history.Action.Put;
import io.tidemark.it.history.Action.Read;
import io.tidemark.it.history.Action.Swap;
import io.tidemark.judge.EventLog;
import io.tidemark.judge.Violation;
import io.tidemark.judge.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A checker that never objects checks nothing: good histories pass, each bad one is named. */
class HistoryCheckerTest {
  private static final KeyValue A2 = kv("a", "1", 2, 2, 1);
  private static final KeyValue A3 = kv("a", "2", 2, 3, 2);
  private static final EventLog TWO_PUTS = log(put(A2), put(A3, A2));
  private static final Operation FIRST = op(0, 10, new Put("a", "1"), changed(2));
  private static final Operation SECOND = op(20, 30, new Put("a", "2"), changed(3, A2));

  private static void accepts(EventLog log, Operation... operations) {
    assertEquals(List.of(), HistoryChecker.check(log, List.of(operations)));
  }

  private static void rejects(Kind kind, EventLog log, Operation... operations) {
    List<Kind> found =
        HistoryChecker.check(log, List.of(operations)).stream().map(Violation::kind).toList();
    assertEquals(List.of(kind), found.stream().distinct().toList());
  }

  @Test
  void acceptsEveryKindOfAnswer() {
    KeyValue b5 = kv("b", "3", 5, 5, 1);
    accepts(
        log(put(A2), put(A3, A2), delete("a", 4, A3), put(b5)),
        FIRST,
        SECOND,
        op(31, 40, new Read("a", false), seen(3, A3)),
        op(31, 40, new Delete("a"), changed(4, A3)),
        op(41, 50, new Delete("a"), seen(4)),
        op(51, 60, new Swap("b", 0, "3"), changed(5)),
        op(61, 70, new Swap("b", 4, "4"), seen(5, b5)),
        op(61, 70, new Read("a", true), seen(2, A2)));
  }

  @Test
  void acceptsUnknownOutcomesEitherWay() {
    accepts(
        log(put(A2), delete("a", 3, A2)),
        op(0, 10, new Put("a", "1"), unknown()),
        op(0, 10, new Put("a", "9"), unknown()),
        op(5, 20, new Delete("a"), unknown()),
        op(5, 20, new Delete("a"), unknown()));
  }

  @Test
  void acceptsConcurrentAnswersInAnyOrder() {
    accepts(
        TWO_PUTS,
        FIRST,
        op(20, 100, new Put("a", "2"), changed(3, A2)),
        op(30, 40, new Read("a", false), seen(2, A2)),
        op(30, 40, new Read("a", false), seen(3, A3)));
  }

  @Test
  void refusesToJudgeRepeatedValues() {
    assertThrows(
        IllegalArgumentException.class,
        () -> HistoryChecker.check(TWO_PUTS, List.of(FIRST, FIRST)));
  }

  @Test
  void acknowledgedPutAtARevisionThatNeverWas() {
    rejects(Kind.LOST_WRITE, log(put(A2)), FIRST, SECOND);
  }

  @Test
  void acknowledgedPutReplacedByAnother() {
    KeyValue other = kv("a", "x", 2, 3, 2);
    rejects(
        Kind.LOST_WRITE,
        log(put(A2), put(other, A2)),
        FIRST,
        SECOND,
        op(15, 40, new Put("a", "x"), unknown()));
  }

  @Test
  void acknowledgedDeleteThatNeverWas() {
    rejects(Kind.LOST_WRITE, TWO_PUTS, FIRST, SECOND, op(40, 50, new Delete("a"), changed(4, A3)));
  }

  @Test
  void acknowledgedSwapLost() {
    rejects(Kind.LOST_WRITE, log(put(A2)), FIRST, op(11, 20, new Swap("a", 2, "2"), changed(3)));
  }

  @Test
  void twoAnswersWithOneRevision() {
    rejects(Kind.LOST_WRITE, log(put(A2)), FIRST, op(0, 10, new Put("a", "7"), changed(2)));
  }

  @Test
  void onePutAppliedTwice() {
    KeyValue again = kv("a", "1", 2, 3, 2);
    rejects(Kind.APPLIED_TWICE, log(put(A2), put(again, A2)), FIRST);
  }

  @Test
  void unknownPutAppliedTwice() {
    KeyValue again = kv("a", "1", 2, 3, 2);
    rejects(
        Kind.APPLIED_TWICE, log(put(A2), put(again, A2)), op(0, 10, new Put("a", "1"), unknown()));
  }

  @Test
  void oneUnknownDeleteAppliedTwice() {
    KeyValue a4 = kv("a", "2", 4, 4, 1);
    rejects(
        Kind.UNEXPLAINED_EVENT,
        log(put(A2), delete("a", 3, A2), put(a4), delete("a", 5, a4)),
        FIRST,
        op(11, 20, new Delete("a"), unknown()),
        op(11, 40, new Put("a", "2"), changed(4)));
  }

  @Test
  void refusedPutTookEffect() {
    rejects(Kind.REJECTED_TOOK_EFFECT, TWO_PUTS, FIRST, op(20, 30, new Put("a", "2"), rejected()));
  }

  @Test
  void refusedDeleteTookEffect() {
    rejects(
        Kind.UNEXPLAINED_EVENT,
        log(put(A2), delete("a", 3, A2)),
        FIRST,
        op(20, 30, new Delete("a"), rejected()));
  }

  @Test
  void eventThatNobodyAskedFor() {
    rejects(Kind.UNEXPLAINED_EVENT, TWO_PUTS, FIRST);
  }

  @Test
  void valueUnderTheWrongKey() {
    KeyValue wrong = kv("b", "1", 2, 2, 1);
    rejects(Kind.UNEXPLAINED_EVENT, log(put(wrong)), op(0, 10, new Put("a", "1"), unknown()));
  }

  @Test
  void laterPutWithTheSmallerRevision() {
    KeyValue late = kv("b", "2", 2, 2, 1);
    KeyValue early = kv("a", "1", 3, 3, 1);
    rejects(
        Kind.ORDER,
        log(put(late), put(early)),
        op(0, 10, new Put("a", "1"), changed(3)),
        op(20, 30, new Put("b", "2"), changed(2)));
  }

  @Test
  void unknownPutTookEffectBeforeItBegan() {
    rejects(
        Kind.ORDER,
        TWO_PUTS,
        op(60, 70, new Put("a", "1"), unknown()),
        op(20, 30, new Put("a", "2"), changed(3, A2)));
  }

  @Test
  void putBelowARevisionThatAReadHadShown() {
    KeyValue b3 = kv("b", "3", 3, 3, 1);
    KeyValue a4 = kv("a", "2", 2, 4, 2);
    rejects(
        Kind.ORDER,
        log(put(A2), put(b3), put(a4, A2)),
        FIRST,
        op(11, 40, new Put("a", "2"), changed(4, A2)),
        op(15, 20, new Read("a", false), seen(4, a4)),
        op(25, 40, new Put("b", "3"), unknown()));
  }

  @Test
  void readOlderThanAnAcknowledgedPut() {
    rejects(Kind.STALE, TWO_PUTS, FIRST, SECOND, op(31, 40, new Read("a", false), seen(2, A2)));
  }

  @Test
  void readOlderThanAnEarlierRead() {
    rejects(
        Kind.STALE,
        TWO_PUTS,
        FIRST,
        op(20, 90, new Put("a", "2"), unknown()),
        op(31, 40, new Read("a", false), seen(3, A3)),
        op(41, 50, new Read("a", false), seen(2, A2)));
  }

  @Test
  void deleteOfNothingAtAStaleRevision() {
    KeyValue b3 = kv("b", "2", 3, 3, 1);
    rejects(
        Kind.STALE,
        log(put(A2), put(b3)),
        FIRST,
        op(20, 30, new Put("b", "2"), changed(3)),
        op(40, 50, new Delete("z"), seen(2)));
  }

  @Test
  void failedSwapAtAStaleRevision() {
    rejects(Kind.STALE, TWO_PUTS, FIRST, SECOND, op(40, 50, new Swap("a", 3, "3"), seen(2, A2)));
  }

  @Test
  void readFromTheFuture() {
    List<Operation> story = List.of(FIRST, SECOND, op(11, 15, new Read("a", false), seen(3, A3)));
    assertEquals(
        List.of(Kind.FUTURE, Kind.ORDER),
        HistoryChecker.check(TWO_PUTS, story).stream().map(Violation::kind).toList());
  }

  @Test
  void readBeyondTheLog() {
    rejects(Kind.FUTURE, log(put(A2)), FIRST, op(11, 15, new Read("a", false), seen(7, A2)));
  }

  @Test
  void readShowsAnotherValueThanItsRevision() {
    rejects(
        Kind.WRONG_READ, TWO_PUTS, FIRST, SECOND, op(31, 40, new Read("a", false), seen(3, A2)));
  }

  @Test
  void readMissesAnExistingKey() {
    rejects(Kind.WRONG_READ, TWO_PUTS, FIRST, SECOND, op(31, 40, new Read("a", false), seen(3)));
  }

  @Test
  void localReadShowsWhatNeverWas() {
    rejects(
        Kind.WRONG_READ,
        TWO_PUTS,
        FIRST,
        SECOND,
        op(31, 40, new Read("a", true), seen(2, kv("a", "1", 2, 2, 9))));
  }

  @Test
  void deleteSaysNothingWasThere() {
    rejects(Kind.WRONG_READ, TWO_PUTS, FIRST, SECOND, op(31, 40, new Delete("a"), seen(3)));
  }

  @Test
  void putShowsAnotherPreviousPair() {
    rejects(Kind.WRONG_PREVIOUS, TWO_PUTS, FIRST, op(20, 30, new Put("a", "2"), changed(3)));
  }

  @Test
  void deleteShowsAnotherPreviousPair() {
    rejects(
        Kind.WRONG_PREVIOUS,
        log(put(A2), put(A3, A2), delete("a", 4, A3)),
        FIRST,
        SECOND,
        op(40, 50, new Delete("a"), changed(4, A2)));
  }

  @Test
  void swapSucceededAgainstItsCondition() {
    rejects(Kind.WRONG_BRANCH, TWO_PUTS, FIRST, op(20, 30, new Swap("a", 9, "2"), changed(3)));
  }

  @Test
  void swapFailedAgainstItsCondition() {
    rejects(
        Kind.WRONG_BRANCH, TWO_PUTS, FIRST, SECOND, op(40, 50, new Swap("a", 3, "3"), seen(3, A3)));
  }

  @Test
  void logSkipsARevision() {
    KeyValue a4 = kv("a", "2", 2, 4, 2);
    rejects(
        Kind.REVISION_GAP,
        log(put(A2), put(a4, A2)),
        FIRST,
        op(20, 30, new Put("a", "2"), changed(4, A2)));
  }

  @Test
  void logHasAWrongVersion() {
    KeyValue wrong = kv("a", "2", 2, 3, 5);
    rejects(Kind.WRONG_FIELDS, log(put(A2), put(wrong, A2)), FIRST, SECOND);
  }

  @Test
  void logHasAWrongPreviousPair() {
    rejects(Kind.WRONG_FIELDS, log(put(A2), put(A3, A3)), FIRST, SECOND);
  }

  @Test
  void logDeletesWhatIsNotThere() {
    rejects(
        Kind.WRONG_FIELDS,
        log(put(A2), delete("b", 3, kv("b", "", 0, 0, 0))),
        FIRST,
        op(20, 30, new Delete("b"), unknown()));
  }
}
