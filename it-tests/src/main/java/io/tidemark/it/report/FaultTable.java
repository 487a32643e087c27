package io.tidemark.it.report;

import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Outcome;
import io.tidemark.it.nemesis.FaultKind;
import io.tidemark.it.nemesis.FaultRecord;
import io.tidemark.it.verdict.Recording;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the faults of each kind cost. */
final class FaultTable {
  private FaultTable() {}

  /**
   * One kind.
   *
   * @param detect until another member led
   * @param recover from healing until all were ready
   * @param outage the longest time without an acknowledged change while the fault was on
   */
  record Row(FaultKind kind, int count, Spread detect, Spread recover, Spread outage) {}

  /** Milliseconds; -1 where there is none. */
  record Spread(long median, long worst) {}

  static List<Row> of(Recording recording) {
    long[] acknowledged =
        recording.operations().stream()
            .filter(o -> o.outcome().done().filter(Outcome.Done::changed).isPresent())
            .mapToLong(Operation::endedNanos)
            .sorted()
            .toArray();
    Map<FaultKind, List<FaultRecord>> byKind = new EnumMap<>(FaultKind.class);
    recording
        .faults()
        .forEach(f -> byKind.computeIfAbsent(f.step().kind(), k -> new ArrayList<>()).add(f));
    List<Row> rows = new ArrayList<>();
    byKind.forEach(
        (kind, faults) ->
            rows.add(
                new Row(
                    kind,
                    faults.size(),
                    spread(faults.stream().mapToLong(FaultRecord::detectMillis).toArray()),
                    spread(faults.stream().mapToLong(FaultRecord::recoverMillis).toArray()),
                    spread(faults.stream().mapToLong(f -> outage(f, acknowledged)).toArray()))));
    return rows;
  }

  private static Spread spread(long[] millis) {
    long[] there = Arrays.stream(millis).filter(m -> m >= 0).sorted().toArray();
    return there.length == 0
        ? new Spread(-1, -1)
        : new Spread(there[there.length / 2], there[there.length - 1]);
  }

  private static long outage(FaultRecord fault, long[] acknowledged) {
    long end = Math.max(fault.readyNanos(), fault.healedNanos());
    long last = fault.beganNanos();
    long worst = 0;
    int from = Arrays.binarySearch(acknowledged, fault.beganNanos());
    for (int i = from < 0 ? -from - 1 : from; i < acknowledged.length; i++) {
      worst = Math.max(worst, Math.min(acknowledged[i], end) - last);
      last = acknowledged[i];
      if (last >= end) {
        break;
      }
    }
    return worst / 1_000_000;
  }
}
