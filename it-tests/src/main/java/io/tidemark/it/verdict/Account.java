package io.tidemark.it.verdict;

import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.tape.Tape;
import io.tidemark.judge.EventLog;
import io.tidemark.judge.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Everything that happened, put together from what each member told: the first account of a
 * revision counts, and every other must be the same.
 *
 * @param log all events
 * @param firstTold when somebody first heard of each revision
 * @param violations where members told different things
 */
public record Account(EventLog log, Map<Long, Long> firstTold, List<Violation> violations) {
  /** Puts it together. */
  public static Account of(List<Tape> tapes) {
    return of(tapes, new CompactedPast(List.of()));
  }

  static Account of(List<Tape> tapes, CompactedPast past) {
    NavigableMap<Long, List<Event>> events = new TreeMap<>();
    Map<Long, Long> firstTold = new HashMap<>();
    List<Violation> violations = new ArrayList<>();
    for (Tape tape : tapes) {
      if (tape.purpose() == Tape.Purpose.ACCOUNT) {
        byRevision(tape, firstTold)
            .forEach(
                (revision, told) -> {
                  List<Event> before = events.putIfAbsent(revision, told);
                  if (before != null && past.excuses(told, before)) {
                    events.put(revision, told); // the one that knows more
                  } else if (before != null && !past.excuses(before, told)) {
                    violations.add(
                        new Violation(
                            Violation.Kind.MEMBERS_DIFFER,
                            "revision "
                                + revision
                                + " is "
                                + before
                                + "; on m"
                                + tape.member()
                                + " it is "
                                + told));
                  }
                });
      }
    }
    List<Event> all = events.values().stream().flatMap(List::stream).toList();
    return new Account(new EventLog(all), firstTold, violations);
  }

  private static Map<Long, List<Event>> byRevision(Tape tape, Map<Long, Long> firstTold) {
    Map<Long, List<Event>> events = new TreeMap<>();
    for (Tape.Arrival arrival : tape.arrivals()) {
      for (Event event : arrival.response().getEventsList()) {
        long revision = event.getKv().getModRevision();
        events.computeIfAbsent(revision, r -> new ArrayList<>()).add(event);
        firstTold.merge(revision, arrival.nanos(), Math::min);
      }
    }
    return events;
  }
}
