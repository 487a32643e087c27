package io.tidemark.watch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The events of a stretch of revisions for one group of equal interests: encoded and listed once,
 * whoever gets them. Thread: one.
 */
final class EventRun {
  private final ArrayList<EncodedEvent> events = new ArrayList<>(4);
  private final List<EncodedEvent> all = Collections.unmodifiableList(events);
  private long bytes;
  private int revisions;

  /** Lowest cursor of the members: nobody wants anything older. */
  private long lowestCursor = Long.MAX_VALUE;

  void member(long cursor) {
    lowestCursor = Math.min(lowestCursor, cursor);
  }

  boolean wants(long revision) {
    return revision >= lowestCursor;
  }

  /** Whether a further revision stays within bounds; an empty list takes any revision whole. */
  boolean fits(long moreBytes, WatchLimits limits) {
    return revisions == 0
        || (bytes + moreBytes <= limits.listBytesMax() && revisions < limits.listRevisionsMax());
  }

  void add(List<EncodedEvent> revision, long moreBytes) {
    events.addAll(revision);
    bytes += moreBytes;
    revisions++;
  }

  /** The part from a revision on; starts at a revision border. The same list for all of it. */
  List<EncodedEvent> from(long cursor) {
    int first = 0;
    int end = events.size();
    while (first < end) {
      int middle = (first + end) >>> 1;
      if (events.get(middle).revision() < cursor) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first == 0 ? all : all.subList(first, events.size());
  }
}
