package io.tidemark.it.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.load.LeaseLife;
import io.tidemark.it.nemesis.FaultKind;
import io.tidemark.it.nemesis.FaultRecord;
import io.tidemark.it.nemesis.Step;
import io.tidemark.it.tape.Tape;
import io.tidemark.judge.Violation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a lease may end, by hand-made lives. Times are seconds. */
class LeaseCheckerTest {
  private static final LeaseLife LIFE = new LeaseLife("life/1", 4, at(10), at(11));

  private static final Duration LATE_MAX = Duration.ofSeconds(5);

  private static long at(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  /** The key is put at revision 2 and gone at 3, of which a member told then. */
  private static Account goneAt(double seconds) {
    ByteString key = ByteString.copyFromUtf8("life/1");
    Event put =
        Event.newBuilder()
            .setKv(
                KeyValue.newBuilder()
                    .setKey(key)
                    .setCreateRevision(2)
                    .setModRevision(2)
                    .setVersion(1))
            .build();
    Event gone =
        Event.newBuilder()
            .setType(Event.EventType.DELETE)
            .setKv(KeyValue.newBuilder().setKey(key).setModRevision(3))
            .build();
    Tape.Arrival first = new Tape.Arrival(at(9), WatchResponse.newBuilder().addEvents(put).build());
    Tape.Arrival second =
        new Tape.Arrival(at(seconds), WatchResponse.newBuilder().addEvents(gone).build());
    return Account.of(
        List.of(
            new Tape(
                0,
                Tape.Purpose.ACCOUNT,
                List.of(WatchCreateRequest.getDefaultInstance()),
                List.of(first, second),
                "")));
  }

  private static FaultRecord fault(double began, double ready) {
    Step step = new Step(1, FaultKind.PAUSE, Step.Role.LEADER, Duration.ofSeconds(1), 1);
    return new FaultRecord(step, "m0", at(began), at(began + 1), at(ready), -1, "stopped");
  }

  private static List<Violation.Kind> judge(Account account, double ended, FaultRecord... faults) {
    return LeaseChecker.check(account, List.of(LIFE), List.of(faults), at(ended), LATE_MAX).stream()
        .map(Violation::kind)
        .toList();
  }

  @Test
  void endsInTime() {
    assertEquals(List.of(), judge(goneAt(14.1), 30));
    assertEquals(List.of(), judge(goneAt(19.9), 30));
  }

  @Test
  void endsTooEarly() {
    assertEquals(List.of(Violation.Kind.LEASE_EARLY), judge(goneAt(13.9), 30));
  }

  @Test
  void endsTooEarlyInAFaultToo() {
    assertEquals(List.of(Violation.Kind.LEASE_EARLY), judge(goneAt(13.9), 30, fault(12, 20)));
  }

  @Test
  void endsTooLate() {
    assertEquals(List.of(Violation.Kind.LEASE_LATE), judge(goneAt(20.1), 30));
  }

  @Test
  void aFaultGivesItTimeAnew() {
    assertEquals(List.of(), judge(goneAt(28), 30, fault(14, 20)));
    assertEquals(List.of(Violation.Kind.LEASE_LATE), judge(goneAt(29.5), 30, fault(14, 20)));
    assertEquals(List.of(Violation.Kind.LEASE_LATE), judge(goneAt(28), 30, fault(2, 5)));
  }

  @Test
  void neverEnds() {
    Account without = Account.of(List.of());
    assertEquals(List.of(Violation.Kind.LEASE_LATE), judge(without, 30));
    assertEquals(List.of(), judge(without, 19));
  }
}
