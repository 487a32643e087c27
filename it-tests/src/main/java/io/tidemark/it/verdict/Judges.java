package io.tidemark.it.verdict;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.history.HistoryChecker;
import io.tidemark.it.load.LockClients;
import io.tidemark.it.tape.Tape;
import io.tidemark.judge.EventLog;
import io.tidemark.judge.Violation;
import io.tidemark.judge.WatchChecker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All judges of a recording. */
public final class Judges {
  /** All keys that operations touch begin with this. */
  public static final String KEYS = "key";

  private Judges() {}

  /** Everything that is wrong with a recording; empty means that nothing is. */
  public static List<Violation> check(Recording recording) {
    CompactedPast past = new CompactedPast(recording.compactions());
    Account account = Account.of(recording.tapes(), past);
    EventLog log = account.log();
    List<Violation> violations = new ArrayList<>(account.violations());
    violations.addAll(HistoryChecker.check(log, recording.operations(), KEYS));
    recording.tapes().forEach(tape -> violations.addAll(watches(log, tape, past)));
    violations.addAll(LockChecker.check(log, LockClients.NAME, recording.holds()));
    violations.addAll(
        LeaseChecker.check(
            account, recording.leases(), recording.faults(), recording.endedNanos()));
    violations.addAll(states(log, recording.states()));
    return violations;
  }

  private static List<Violation> watches(EventLog log, Tape tape, CompactedPast past) {
    List<Violation> violations = new ArrayList<>();
    for (WatchCreateRequest request : tape.requests()) {
      boolean created =
          tape.arrivals().stream()
              .anyMatch(
                  a ->
                      a.response().getCreated()
                          && a.response().getWatchId() == request.getWatchId());
      if (created) { // else it was never heard of: nothing was promised
        violations.addAll(
            WatchChecker.check(
                log,
                request,
                request.getWatchId(),
                past.completed(log, tape, request.getPrevKv()),
                0));
      }
    }
    return violations;
  }

  private static List<Violation> states(EventLog log, List<MemberState> states) {
    List<Violation> violations = new ArrayList<>();
    for (MemberState state : states) {
      MemberState first = states.get(0);
      if (state.revision() != log.lastRevision()) {
        violations.add(
            differs(
                "m"
                    + state.member()
                    + " is at "
                    + state.revision()
                    + ", events end at "
                    + log.lastRevision()));
      }
      if (state.compactRevision() == first.compactRevision()
          && !state.hash().equals(first.hash())) {
        violations.add(
            differs(
                "hash of m"
                    + state.member()
                    + " is "
                    + state.hash()
                    + ", of m"
                    + first.member()
                    + " "
                    + first.hash()));
      }
      Map<ByteString, KeyValue> held = new HashMap<>();
      state.pairs().forEach(pair -> held.put(pair.getKey(), pair));
      if (!held.equals(log.finalState())) {
        violations.add(
            differs(
                "m"
                    + state.member()
                    + " holds "
                    + held.size()
                    + " pairs, not the "
                    + log.finalState().size()
                    + " that its events give"));
      }
    }
    return violations;
  }

  private static Violation differs(String detail) {
    return new Violation(Violation.Kind.MEMBERS_DIFFER, detail);
  }
}
