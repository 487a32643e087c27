package io.tidemark.raftcore.propose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.codahale.metrics.MetricRegistry;
import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.raftcore.metrics.WriteMetrics;
import io.tidemark.raftcore.peer.SendResult;
import io.tidemark.raftcore.settings.RaftLimits;
import io.tidemark.statemachine.AppliedEntry;
import io.tidemark.statemachine.BatchId;
import io.tidemark.statemachine.BatchWindow;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.Entry;
import io.tidemark.statemachine.EntryCodec;
import io.tidemark.statemachine.Outcome;
import io.tidemark.statemachine.lease.LeaseChanges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Coalescing, refusals, unknown outcomes and deadlines, with a leader made of a queue. */
class ProposerTest {
  private final Leader leader = new Leader();
  private @Nullable Proposer proposer;

  @AfterEach
  void stop() {
    if (proposer != null) {
      proposer.stop();
    }
  }

  @Test
  void commandsThatComeWhileEntriesAreInFlightShareTheNextOne() throws Exception {
    Proposer proposer = start(Duration.ofSeconds(30));
    List<CompletableFuture<ProposalResult>> results = new ArrayList<>();
    results.add(proposer.propose(put("first")));
    Sent first = leader.next();
    results.add(proposer.propose(put("second")));
    Sent second = leader.next();
    for (int n = 0; n < 10; n++) {
      results.add(proposer.propose(put("more" + n)));
    }
    assertNull(leader.sent.poll(50, TimeUnit.MILLISECONDS), "two are in flight");
    first.applyAndAnswer(proposer);
    Sent third = leader.next();
    assertEquals(10, third.entry.commands().size());
    second.applyAndAnswer(proposer);
    third.applyAndAnswer(proposer);
    for (CompletableFuture<ProposalResult> result : results) {
      assertDone(result);
    }
  }

  @Test
  void anEntryIsSentAgainUntilItIsApplied() throws Exception {
    Proposer proposer = start(Duration.ofSeconds(30));
    CompletableFuture<ProposalResult> refused = proposer.propose(put("refused"));
    leader.next().answer.complete(SendResult.REFUSED);
    Sent again = leader.nextOf(proposer);
    again.answer.complete(SendResult.UNKNOWN);
    Sent third = leader.nextOf(proposer);
    assertEquals(again.entry, third.entry);
    leader.name = "other";
    Sent fourth = leader.nextOf(proposer);
    assertEquals(again.entry, fourth.entry);
    assertFalse(refused.isDone());
    proposer.onApplied(again.applied(), 0, 0);
    assertDone(refused);
  }

  @Test
  void deadlinesTellNotStartedFromUnknown() throws Exception {
    Proposer proposer = start(Duration.ofMillis(1));
    leader.present = false;
    CompletableFuture<ProposalResult> nowhere = proposer.propose(put("nowhere"));
    awaitDone(proposer, nowhere);
    assertEquals(new ProposalResult.NotStarted(EtcdError.TIMEOUT), nowhere.join());
    leader.present = true;
    CompletableFuture<ProposalResult> sent = proposer.propose(put("sent"));
    leader.next();
    awaitDone(proposer, sent);
    assertEquals(new ProposalResult.Unknown(EtcdError.TIMEOUT), sent.join());
  }

  @Test
  void whatMayHaveBeenAppendedEndsAsUnknown() throws Exception {
    Proposer proposer = start(Duration.ofMillis(200));
    CompletableFuture<ProposalResult> doubtful = proposer.propose(put("doubtful"));
    leader.next().answer.complete(SendResult.UNKNOWN);
    leader.nextOf(proposer).answer.complete(SendResult.REFUSED);
    leader.present = false;
    awaitDone(proposer, doubtful);
    assertEquals(new ProposalResult.Unknown(EtcdError.TIMEOUT), doubtful.join());
  }

  @Test
  void aCommandThatEndsBeforeItWasSentIsNeverSent() throws Exception {
    Proposer proposer = start(Duration.ofMillis(500));
    leader.present = false;
    CompletableFuture<ProposalResult> early = proposer.propose(put("early"));
    awaitDone(proposer, early);
    assertEquals(new ProposalResult.NotStarted(EtcdError.TIMEOUT), early.join());
    CompletableFuture<ProposalResult> late = proposer.propose(put("late"));
    leader.present = true;
    Sent sent = leader.nextOf(proposer);
    assertEquals(List.of(new Command.Put(request("late"))), sent.entry.commands());
    sent.applyAndAnswer(proposer);
    assertDone(late);
  }

  @Test
  void aRestoredStoreAnswersForWhatItHolds() throws Exception {
    Proposer proposer = start(Duration.ofSeconds(30));
    CompletableFuture<ProposalResult> held = proposer.propose(put("held"));
    Sent first = leader.next();
    CompletableFuture<ProposalResult> other = proposer.propose(put("other"));
    Sent second = leader.next();
    proposer.onRestored(
        id -> id.equals(first.entry.id()) ? Optional.of(List.of(Sent.DONE)) : Optional.empty());
    assertDone(held);
    assertFalse(other.isDone());
    proposer.onRestored(id -> Optional.of(List.of()));
    assertEquals(new ProposalResult.Unknown(EtcdError.TIMEOUT), other.get(5, TimeUnit.SECONDS));
    proposer.onApplied(second.applied(), 0, 0);
  }

  @Test
  void sequencesNeverOutrunTheWindow() throws Exception {
    Proposer proposer = start(Duration.ofSeconds(30));
    var oldest = proposer.propose(put("oldest"));
    Sent stuck = leader.next();
    for (int n = 1; n < BatchWindow.SIZE; n++) {
      var unused = proposer.propose(put("k" + n));
      Sent next = leader.next();
      assertEquals(n + 1, next.entry.id().sequence());
      next.applyAndAnswer(proposer);
    }
    var waiting = proposer.propose(put("waiting"));
    assertNull(leader.sent.poll(50, TimeUnit.MILLISECONDS), "the oldest holds the window");
    stuck.applyAndAnswer(proposer);
    leader.next().applyAndAnswer(proposer);
    assertDone(oldest);
    assertDone(waiting);
  }

  @Test
  void aFullQueueAndAStoppedMemberRefuse() throws Exception {
    Proposer proposer = start(Duration.ofSeconds(30));
    leader.present = false;
    ByteString large = ByteString.copyFrom(new byte[600]);
    for (int n = 0; n < 40; n++) {
      var unused = proposer.propose(large);
    }
    assertEquals(
        new ProposalResult.NotStarted(EtcdError.TOO_MANY_REQUESTS),
        proposer.propose(ByteString.copyFrom(new byte[10_001])).get(1, TimeUnit.SECONDS));
    proposer.close();
    assertEquals(
        new ProposalResult.NotStarted(EtcdError.STOPPED),
        proposer.propose(large).get(1, TimeUnit.SECONDS));
  }

  private Proposer start(Duration timeout) {
    RaftLimits limits = new RaftLimits(1, 1, 1, 1, 0, 1000, 8, 100_000, 10_000);
    Proposer fresh =
        new Proposer(
            "p",
            new BatchId(1, 2, 0),
            limits,
            timeout,
            leader,
            Runnable::run,
            new WriteMetrics(new MetricRegistry()));
    proposer = fresh;
    fresh.start();
    return fresh;
  }

  private static void assertDone(CompletableFuture<ProposalResult> result) throws Exception {
    ProposalResult.Applied applied =
        assertInstanceOf(ProposalResult.Applied.class, result.get(5, TimeUnit.SECONDS));
    assertEquals(Sent.DONE, applied.outcome());
  }

  private static void awaitDone(Proposer proposer, CompletableFuture<?> result) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    while (!result.isDone() && System.nanoTime() - deadline < 0) {
      proposer.tick();
      Thread.onSpinWait();
    }
  }

  private static ByteString put(String key) {
    return new Command.Put(request(key)).encoded();
  }

  private static PutRequest request(String key) {
    return PutRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)).build();
  }

  private record Sent(Entry entry, CompletableFuture<SendResult> answer) {
    static final Outcome DONE = new Outcome.Done(ByteString.EMPTY, 1);

    AppliedEntry applied() {
      List<Outcome> outcomes = entry.commands().stream().map(c -> DONE).toList();
      return new AppliedEntry(entry.id(), outcomes, List.of(), 0, LeaseChanges.NONE, false);
    }

    void applyAndAnswer(Proposer proposer) {
      answer.complete(SendResult.DONE);
      proposer.onApplied(applied(), 0, 0);
    }
  }

  private static final class Leader implements Route {
    final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
    volatile boolean present = true;
    volatile String name = "l";

    @Override
    public @Nullable String leader() {
      return present ? name : null;
    }

    @Override
    public CompletableFuture<SendResult> send(String to, ByteString entry, long timeoutNanos) {
      CompletableFuture<SendResult> answer = new CompletableFuture<>();
      sent.add(new Sent(EntryCodec.decode(entry), answer));
      return answer;
    }

    /** Leader events until something is sent: one may come before the last answer was taken in. */
    Sent nextOf(Proposer proposer) throws InterruptedException {
      for (int attempt = 0; attempt < 500; attempt++) {
        proposer.onLeaderEvent();
        Sent next = sent.poll(10, TimeUnit.MILLISECONDS);
        if (next != null) {
          return next;
        }
      }
      throw new AssertionError("nothing was sent");
    }

    Sent next() throws InterruptedException {
      Sent next = sent.poll(5, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("nothing was sent");
      }
      return next;
    }
  }
}
