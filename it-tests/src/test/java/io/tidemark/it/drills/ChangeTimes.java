package io.tidemark.it.drills;

import io.tidemark.it.history.Action;
import io.tidemark.it.history.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How long changes of the members took, and what puts took meanwhile. One thread. */
final class ChangeTimes {
  /** What is measured apart. */
  enum Kind {
    ADD_VOTER,
    ADD_LEARNER,
    PROMOTE,
    REMOVE,
    REMOVE_LEADER,
    MOVE,
    REPLACE
  }

  /**
   * One change. All are this JVM's monotonic clock.
   *
   * @param answeredNanos when the member that was asked had answered
   * @param doneNanos when the member that was added or moved served, or else as above
   */
  record Change(Kind kind, long beganNanos, long answeredNanos, long doneNanos) {}

  private final List<Change> changes = new ArrayList<>();

  void add(Change change) {
    changes.add(change);
  }

  int size() {
    return changes.size();
  }

  /** A line for each kind, and one for the time in which nothing was changed. */
  String table(Collection<Operation> history) {
    StringBuilder text = new StringBuilder();
    line(
        text, "change", "number", "answer p50/max ms", "done p50/max ms", "puts", "put p50/p99 ms");
    for (Kind kind : Kind.values()) {
      List<Change> some = changes.stream().filter(change -> change.kind() == kind).toList();
      if (some.isEmpty()) {
        continue;
      }
      List<Long> puts = putMillis(history, some);
      line(
          text,
          kind.name(),
          "" + some.size(),
          spread(some.stream().map(c -> c.answeredNanos() - c.beganNanos())),
          spread(some.stream().map(c -> c.doneNanos() - c.beganNanos())),
          "" + puts.size(),
          at(puts, 0.5) + " / " + at(puts, 0.99));
    }
    List<Long> quiet = putMillis(history, List.of());
    line(text, "none", "", "", "", "" + quiet.size(), at(quiet, 0.5) + " / " + at(quiet, 0.99));
    return text.toString();
  }

  private static void line(StringBuilder text, String... cells) {
    text.append("%-14s %7s %20s %20s %6s %16s%n".formatted((Object[]) cells));
  }

  private static String spread(Stream<Long> nanos) {
    List<Long> millis = nanos.map(TimeUnit.NANOSECONDS::toMillis).sorted().toList();
    return at(millis, 0.5) + " / " + at(millis, 1);
  }

  /** Sorted times of acknowledged puts that began while one of these ran; of none: in between. */
  private List<Long> putMillis(Collection<Operation> history, List<Change> some) {
    return history.stream()
        .filter(o -> o.action() instanceof Action.Put && o.outcome().done().isPresent())
        .filter(o -> some.isEmpty() ? !during(o, changes) : during(o, some))
        .map(o -> TimeUnit.NANOSECONDS.toMillis(o.endedNanos() - o.beganNanos()))
        .sorted()
        .collect(Collectors.toList());
  }

  private static boolean during(Operation operation, List<Change> some) {
    return some.stream()
        .anyMatch(
            c ->
                operation.beganNanos() - c.beganNanos() >= 0
                    && operation.beganNanos() - c.doneNanos() <= 0);
  }

  private static long at(List<Long> sorted, double share) {
    return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(share * (sorted.size() - 1)));
  }
}
