package io.tidemark.it.history;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The largest revision that any answer had shown before a moment. Immutable. */
final class RevisionFloor {
  private final NavigableMap<Long, Long> knownByEnd = new TreeMap<>();

  RevisionFloor(List<Operation> operations) {
    List<Operation> byEnd =
        operations.stream()
            .filter(operation -> operation.outcome().done().isPresent())
            .sorted(Comparator.comparingLong(Operation::endedNanos))
            .toList();
    long known = 0;
    for (Operation operation : byEnd) {
      known = Math.max(known, operation.outcome().done().orElseThrow().revision());
      knownByEnd.put(operation.endedNanos(), known);
    }
  }

  /** 0 when nothing had been answered. */
  long before(long nanos) {
    Map.Entry<Long, Long> entry = knownByEnd.lowerEntry(nanos);
    return entry == null ? 0 : entry.getValue();
  }
}
