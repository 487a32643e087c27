package io.tidemark.it.report;

import io.tidemark.it.history.Operation;
import io.tidemark.it.nemesis.FaultRecord;
import io.tidemark.it.tape.Tape;
import io.tidemark.it.verdict.Recording;
import io.tidemark.judge.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The few lines of a recording that a violation is about. */
final class Excerpt {
  private static final int NEAR = 2;
  private static final int LINES_MAX = 30;

  private final Recording recording;
  private final Violation violation;
  private final TreeMap<Long, List<String>> lines = new TreeMap<>();

  private Excerpt(Recording recording, Violation violation) {
    this.recording = recording;
    this.violation = violation;
  }

  /**
   * When something of it happened, by the recording's clock; empty if it isn't about a revision.
   */
  static OptionalLong moment(Recording recording, Violation violation) {
    return recording.operations().stream()
        .filter(operation -> isAbout(operation, violation, 0))
        .mapToLong(Operation::endedNanos)
        .max();
  }

  /** In the order of time; each line begins with seconds since the run began. */
  static List<String> of(Recording recording, Violation violation) {
    Excerpt excerpt = new Excerpt(recording, violation);
    excerpt.collect();
    return excerpt.lines.values().stream().flatMap(List::stream).limit(LINES_MAX).toList();
  }

  private void collect() {
    recording.operations().stream()
        .filter(operation -> isAbout(operation, violation, NEAR))
        .sorted(
            Comparator.comparingLong(
                o -> Math.abs(o.outcome().done().orElseThrow().revision() - violation.revision())))
        .limit(12)
        .forEach(
            operation ->
                add(
                    operation.beganNanos(),
                    String.format(
                        Locale.ROOT,
                        "%s %s -> %s (took %.1f ms)",
                        operation.client(),
                        operation.action(),
                        oneLine(operation.outcome()),
                        (operation.endedNanos() - operation.beganNanos()) / 1e6)));
    for (Tape tape : recording.tapes()) {
      if (tape.purpose() == Tape.Purpose.ACCOUNT && violation.revision() > 0) {
        collect(tape);
      }
    }
    if (!lines.isEmpty()) {
      long first = lines.firstKey();
      long last = lines.lastKey();
      for (FaultRecord fault : recording.faults()) {
        if (fault.beganNanos() <= last
            && Math.max(fault.readyNanos(), fault.healedNanos()) >= first) {
          add(fault.beganNanos(), "fault " + fault.step() + " " + fault.members() + " begins");
          add(fault.healedNanos(), "fault " + fault.step().number() + " is healed");
        }
      }
    }
  }

  private void collect(Tape tape) {
    for (Tape.Arrival arrival : tape.arrivals()) {
      arrival.response().getEventsList().stream()
          .filter(
              event ->
                  Math.abs(event.getKv().getModRevision() - violation.revision()) < NEAR
                      && (violation.key().isEmpty()
                          || violation.key().equals(event.getKv().getKey().toStringUtf8())))
          .forEach(
              event ->
                  add(
                      arrival.nanos(),
                      "m"
                          + tape.member()
                          + " tells of "
                          + event.getType()
                          + " "
                          + oneLine(event.getKv())));
    }
  }

  private static boolean isAbout(Operation operation, Violation violation, int near) {
    return violation.revision() > 0
        && operation.outcome().done().isPresent()
        && (violation.key().isEmpty() || violation.key().equals(operation.action().key()))
        && Math.abs(operation.outcome().done().get().revision() - violation.revision()) <= near;
  }

  private void add(long nanos, String line) {
    String stamped =
        String.format(Locale.ROOT, "%9.3f s  %s", (nanos - recording.beganNanos()) / 1e9, line);
    lines.computeIfAbsent(nanos, n -> new ArrayList<>()).add(stamped);
  }

  private static String oneLine(Object message) {
    return message.toString().replaceAll("\\s+", " ").trim();
  }
}
