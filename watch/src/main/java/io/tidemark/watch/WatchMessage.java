package io.tidemark.watch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One response on a watch stream, before it gets cluster and member ids. Immutable. */
public sealed interface WatchMessage
    permits WatchMessage.Created,
        WatchMessage.Refused,
        WatchMessage.Canceled,
        WatchMessage.Compacted,
        WatchMessage.Events,
        WatchMessage.Progress {

  /** Watch id of a progress message that speaks for every watcher of its stream. */
  long WHOLE_STREAM = -1;

  /** The revision of the response header. */
  long revision();

  /** Calls the method of {@code cases} that belongs to this message. */
  <R> R on(Cases<R> cases);

  /** One method per kind of message. */
  interface Cases<R> {
    R created(Created message);

    R refused(Refused message);

    R canceled(Canceled message);

    R compacted(Compacted message);

    R events(Events message);

    R progress(Progress message);
  }

  /** A watcher exists now; {@code revision} is the store's revision at its registration. */
  record Created(long watchId, long revision) implements WatchMessage {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.created(this);
    }
  }

  /** A create request was refused: goes out as created and canceled with watch id -1. */
  record Refused(String reason, long revision) implements WatchMessage {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.refused(this);
    }
  }

  /** The client's cancel request was carried out. */
  record Canceled(long watchId, long revision) implements WatchMessage {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.canceled(this);
    }
  }

  /** The watcher ended because a revision that it still needed was compacted. */
  record Compacted(long watchId, long compactRevision, long revision) implements WatchMessage {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.compacted(this);
    }
  }

  /**
   * Events of whole revisions. With {@code fragment} more of the same list follows at once in the
   * stream's next message.
   */
  record Events(long watchId, long revision, List<EncodedEvent> events, boolean fragment)
      implements WatchMessage {
    /** One list made of several whole ones of one watcher, which follow each other. */
    static Events joined(List<Events> lists) {
      int size = 0;
      for (Events list : lists) {
        size += list.events.size();
      }
      List<EncodedEvent> all = new ArrayList<>(size);
      for (Events list : lists) {
        all.addAll(list.events);
      }
      Events last = lists.get(lists.size() - 1);
      return new Events(last.watchId, last.revision, Collections.unmodifiableList(all), false);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.events(this);
    }
  }

  /** Nothing at or below {@code revision} follows for the watcher, or {@link #WHOLE_STREAM}. */
  record Progress(long watchId, long revision) implements WatchMessage {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.progress(this);
    }
  }
}
