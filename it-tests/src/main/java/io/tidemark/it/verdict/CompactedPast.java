package io.tidemark.it.verdict;

import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.tape.Tape;
import io.tidemark.judge.EventLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a watch can't tell any more: a compaction at a revision keeps the events of that revision,
 * but not what they replaced, so a watch that reads them later, from the store, brings them without
 * the previous pair. Anywhere else a previous pair that is missing is wrong.
 */
final class CompactedPast {
  private final Set<Long> compactions;

  CompactedPast(List<Long> compactions) {
    this.compactions = Set.copyOf(compactions);
  }

  /** Whether the second may stand for the first, for want of its past. */
  boolean excuses(Event whole, Event told) {
    return compactions.contains(told.getKv().getModRevision())
        && whole.hasPrevKv()
        && !told.hasPrevKv()
        && whole.toBuilder().clearPrevKv().build().equals(told);
  }

  /** As above, event by event. */
  boolean excuses(List<Event> whole, List<Event> told) {
    if (whole.size() != told.size()) {
      return false;
    }
    for (int i = 0; i < told.size(); i++) {
      if (!whole.get(i).equals(told.get(i)) && !excuses(whole.get(i), told.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The answers of one watch, with the pairs that couldn't be told any more. */
  List<WatchResponse> completed(EventLog log, Tape tape, boolean wantsPrevious) {
    if (!wantsPrevious) {
      return tape.responses();
    }
    List<WatchResponse> completed = new ArrayList<>();
    for (WatchResponse response : tape.responses()) {
      boolean any =
          response.getEventsList().stream()
              .anyMatch(event -> compactions.contains(event.getKv().getModRevision()));
      completed.add(any ? completed(log, response) : response);
    }
    return completed;
  }

  private WatchResponse completed(EventLog log, WatchResponse response) {
    WatchResponse.Builder completed = response.toBuilder().clearEvents();
    for (Event told : response.getEventsList()) {
      completed.addEvents(
          log.at(told.getKv().getModRevision()).stream()
              .filter(whole -> excuses(whole, told))
              .findFirst()
              .orElse(told));
    }
    return completed.build();
  }
}
