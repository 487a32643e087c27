package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.api.mvccpb.Event;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A watch as an application sees it: when its stream ends, it resumes after the last thing it
 * knows, on whatever member comes next. All streams together have to show each event once.
 */
final class RoamingWatch {
  private static final long ID = 3;

  private final WatchSpec spec;
  private final List<Event> delivered = new ArrayList<>();
  private @Nullable StreamProbe probe;

  /** First revision not known to be delivered; 0 before the first created message. */
  private long next;

  /** Where the unbroken part begins that {@link #delivered} holds. */
  private long begin;

  RoamingWatch(WatchSpec spec) {
    this.spec = spec;
  }

  @Nullable StreamProbe probe() {
    return probe;
  }

  /**
   * Takes in what the present stream showed; after a compaction only a part from there on counts.
   */
  void takeIn() {
    StreamProbe read = probe;
    StreamProbe.Seen seen = read == null ? null : read.all().get(ID);
    if (seen == null) {
      return;
    }
    if (begin == 0) {
      begin = seen.begin();
    }
    delivered.addAll(seen.events);
    seen.events.clear();
    next = seen.next;
    if (seen.compacted > 0) {
      delivered.clear();
      begin = seen.compacted;
      next = seen.compacted;
    }
  }

  /** Leaves the present stream, which may be dead already, for one of this member's. */
  void move(StreamProbe to) {
    takeIn();
    probe = to;
    long start = next == 0 ? spec.startRevision() : next;
    to.create(
        new WatchSpec(
            spec.range(),
            start,
            ID,
            spec.progressNotify(),
            spec.noPut(),
            spec.noDelete(),
            spec.prevKv(),
            spec.fragment()));
  }

  /** Resumable: whatever happened to the streams, nothing is missing and nothing came twice. */
  void check(ModelHistory model) {
    takeIn();
    List<Event> expected = model.events(spec, begin, next - 1);
    assertEquals(expected.size(), delivered.size(), "events over all streams");
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(expected.get(i).getKv(), delivered.get(i).getKv());
    }
  }
}
