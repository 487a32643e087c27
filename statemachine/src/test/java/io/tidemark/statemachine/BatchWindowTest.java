package io.tidemark.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.mvcc.ReadView;
import io.tidemark.statemachine.lease.LeaseChanges;
import io.tidemark.statemachine.testing.Requests;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A second copy of a batch changes nothing and answers what the first one answered. */
class BatchWindowTest {
  private final Machine machine = new Machine();

  @AfterEach
  void close() {
    machine.close();
  }

  private static Command put(String key) {
    return new Command.Put(Requests.put(key, "v"));
  }

  @Test
  void aSecondCopyAnswersAsTheFirst() {
    BatchId id = new BatchId(9, 5, 1);
    List<Command> commands = List.of(put("a"), new Command.Compact(Requests.compact(99)), put("b"));
    List<Outcome> first = machine.applyAs(id, commands).outcomes();
    assertEquals(EtcdError.FUTURE_REV, Machine.error(first.get(1)));
    assertEquals(3, machine.store().revision());
    for (int copy = 0; copy < 2; copy++) {
      AppliedEntry second = machine.applyAs(id, commands);
      assertEquals(new AppliedEntry(id, first, List.of(), 0, LeaseChanges.NONE, false), second);
      assertEquals(3, machine.store().revision());
      assertEquals(machine.index(), machine.store().applied().index());
      machine.reopen();
    }
    try (ReadView view = machine.store().view()) {
      assertEquals(Optional.of(first), BatchWindow.outcomes(view, id));
      assertEquals(Optional.empty(), BatchWindow.outcomes(view, new BatchId(9, 5, 65)));
      assertEquals(Optional.empty(), BatchWindow.outcomes(view, new BatchId(9, 4, 1)));
    }
  }

  @Test
  void largeOutcomesAreForgottenTheirBatchIsNot() {
    Command large = new Command.Put(Requests.put("k", "x".repeat(70_000)));
    machine.applyAs(new BatchId(9, 5, 1), List.of(large));
    Command telling = new Command.Put(Requests.put("k", "y").toBuilder().setPrevKv(true).build());
    BatchId id = new BatchId(9, 5, 2);
    assertEquals(1, machine.applyAs(id, List.of(telling)).outcomes().size());
    assertEquals(AppliedEntry.skipped(id), machine.applyAs(id, List.of(telling)));
    assertEquals(3, machine.store().revision());
    try (ReadView view = machine.store().view()) {
      assertEquals(Optional.of(List.of()), BatchWindow.outcomes(view, id));
    }
  }

  @Test
  void sequencesMayComeInAnyOrderWithinTheWindow() {
    int size = BatchWindow.SIZE;
    assertEquals(2, revisionAfter(new BatchId(9, 5, 70)));
    assertEquals(3, revisionAfter(new BatchId(9, 5, 70 - size + 1)));
    assertEquals(3, revisionAfter(new BatchId(9, 5, 70 - size)), "too far behind");
    assertEquals(4, revisionAfter(new BatchId(9, 5, 50)));
    machine.reopen();
    assertEquals(4, revisionAfter(new BatchId(9, 5, 50)));
    assertEquals(4, revisionAfter(new BatchId(9, 5, 70 - size + 1)));
    assertEquals(4, revisionAfter(new BatchId(9, 5, 3)));
    assertEquals(5, revisionAfter(new BatchId(9, 5, 50 + size)));
    assertEquals(5, revisionAfter(new BatchId(9, 5, 50)));
  }

  @Test
  void aLaterRunEndsTheEarlierOneOfItsMemberOnly() {
    assertEquals(2, revisionAfter(new BatchId(9, 5, 1)));
    assertEquals(3, revisionAfter(new BatchId(8, 5, 1)));
    assertEquals(4, revisionAfter(new BatchId(9, 6, 1)), "a restart is no duplicate");
    assertEquals(4, revisionAfter(new BatchId(9, 5, 2)), "a late batch of the finished run");
    machine.reopen();
    assertEquals(4, revisionAfter(new BatchId(9, 5, 3)));
    assertEquals(5, revisionAfter(new BatchId(8, 5, 2)));
    assertEquals(6, revisionAfter(new BatchId(9, 6, 2)));
  }

  @Test
  void whatIsSentOnceIsNotRemembered() {
    assertEquals(2, revisionAfter(new BatchId(9, 5, 1)));
    assertEquals(3, revisionAfter(new BatchId(9, 5, -1)));
    assertEquals(4, revisionAfter(new BatchId(9, 5, -1)));
    assertEquals(5, revisionAfter(new BatchId(9, 4, -2)));
    assertEquals(5, revisionAfter(new BatchId(9, 5, 1)));
  }

  @Test
  void outcomesKeepTheirBytes() {
    BatchId id = new BatchId(9, 5, 1);
    machine.applyAs(id, List.of(put("a"), new Command.Compact(Requests.compact(9))));
    try (ReadView view = machine.store().view()) {
      List<Outcome> found = BatchWindow.outcomes(view, id).orElseThrow();
      assertEquals(
          List.of(
              new Outcome.Done(ByteString.fromHex("0a021802"), 2),
              new Outcome.Rejected(EtcdError.FUTURE_REV)),
          found);
    }
  }

  private long revisionAfter(BatchId id) {
    machine.applyAs(id, List.of(put("k")));
    return machine.store().revision();
  }
}
