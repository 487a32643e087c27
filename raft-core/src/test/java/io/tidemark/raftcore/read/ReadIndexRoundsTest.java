package io.tidemark.raftcore.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Which replies confirm a round, without Ratis. */
class ReadIndexRoundsTest {
  private final Line b = new Line("b");
  private final Line c = new Line("c");
  private final Fake leadership = new Fake();
  private final ReadIndexRounds rounds = new ReadIndexRounds(leadership);

  @Test
  void onlyARequestMadeAfterTheRoundBeganConfirms() {
    b.next = 7;
    leadership.committed = 40;
    CompletableFuture<Long> round = rounds.request();
    leadership.committed = 41;
    rounds.onReply(b, true, 3, 6);
    assertFalse(round.isDone(), "that request was made before");
    assertEquals(2, b.triggers, "the old reply triggers again");
    rounds.onReply(b, false, 3, 7);
    rounds.onReply(b, true, 2, 7);
    rounds.onReply(new Line("b"), true, 3, 7);
    assertFalse(round.isDone(), "refused, of another term, of another line");
    rounds.onReply(b, true, 3, 7);
    assertEquals(40, round.join());
  }

  @Test
  void askersShareTheNextRoundButNeverTheRunningOne() {
    CompletableFuture<Long> running = rounds.request();
    CompletableFuture<Long> forming = rounds.request();
    assertSame(forming, rounds.request());
    leadership.committed = 9;
    b.next = 1;
    rounds.onReply(b, true, 3, 0);
    assertEquals(5, running.join());
    assertFalse(forming.isDone());
    rounds.onReply(b, true, 3, 0);
    assertFalse(forming.isDone(), "its round began with call 1");
    rounds.onReply(b, true, 3, 1);
    assertEquals(9, forming.join());
  }

  @Test
  void aLeaderOfAnotherTermGivesNothingOut() {
    CompletableFuture<Long> round = rounds.request();
    leadership.term = 4;
    rounds.onReply(b, true, 3, 0);
    assertTrue(round.isCompletedExceptionally());
    leadership.ready = false;
    assertTrue(rounds.request().isCompletedExceptionally());
  }

  @Test
  void aReplacedLineCountsFromItsOwnFirstCall() {
    b.next = 100;
    CompletableFuture<Long> round = rounds.request();
    Line again = new Line("b");
    rounds.onFollower(again);
    assertEquals(1, again.triggers);
    rounds.onReply(again, true, 3, 0);
    assertEquals(5, round.join());
  }

  @Test
  void lossOfLeadershipFailsAllAndTicksNoticeIt() {
    CompletableFuture<Long> running = rounds.request();
    CompletableFuture<Long> forming = rounds.request();
    rounds.tick();
    assertFalse(running.isDone());
    leadership.ready = false;
    rounds.tick();
    assertTrue(running.isCompletedExceptionally());
    assertTrue(forming.isCompletedExceptionally());
  }

  private final class Fake implements Leadership {
    boolean ready = true;
    long term = 3;
    long committed = 5;

    @Override
    public boolean ready() {
      return ready;
    }

    @Override
    public long term() {
      return term;
    }

    @Override
    public long committed() {
      return committed;
    }

    @Override
    public boolean majority(Predicate<String> acknowledged) {
      return acknowledged.test("b") || acknowledged.test("c");
    }

    @Override
    public List<Follower> followers() {
      return List.of(b, c);
    }
  }

  private static final class Line implements Follower {
    private final String id;
    long next;
    int triggers;

    Line(String id) {
      this.id = id;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public long nextCallId() {
      return next;
    }

    @Override
    public void trigger() {
      triggers++;
    }
  }
}
