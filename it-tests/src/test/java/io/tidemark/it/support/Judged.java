package io.tidemark.it.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.it.client.WatchProbe;
import io.tidemark.it.history.HistoryChecker;
import io.tidemark.it.history.Operation;
import io.tidemark.judge.EventLog;
import io.tidemark.judge.Violation;
import io.tidemark.judge.WatchChecker;
import java.util.List;
import java.util.stream.Collectors;

/** Assertions that a history or a watch has no violation; a failure shows the first few. */
public final class Judged {
  private static final int SHOWN = 5;

  private Judged() {}

  public static void assertHistory(EventLog log, List<Operation> operations) {
    assertNone(HistoryChecker.check(log, operations));
  }

  /** Judges one watch of a stream; it must have delivered everything up to a revision. */
  public static void assertWatch(
      EventLog log, WatchCreateRequest request, long watchId, WatchProbe probe, long until) {
    assertNone(WatchChecker.check(log, request, watchId, probe.responses(), until));
  }

  private static void assertNone(List<Violation> violations) {
    String shown =
        violations.stream().limit(SHOWN).map(Violation::toString).collect(Collectors.joining("\n"));
    assertEquals("", shown, () -> violations.size() + " violations");
  }
}
