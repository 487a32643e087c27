package io.tidemark.it.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a client rebuilds from the events of a watch on a prefix, whatever its streams went through.
 * Filled by the client's callbacks; any thread may read or wait.
 */
final class MirroredFiles {
  private final int prefixBytes;

  @GuardedBy("this")
  private final Map<String, ByteString> files = new HashMap<>();

  @GuardedBy("this")
  private final List<Event> events = new ArrayList<>();

  @GuardedBy("this")
  private final List<String> faults = new ArrayList<>();

  @GuardedBy("this")
  private long seen;

  /**
   * Nothing yet.
   *
   * @param prefix of all keys; not part of the names
   */
  MirroredFiles(String prefix) {
    this.prefixBytes = ByteString.copyFromUtf8(prefix).size();
  }

  /** Content by name, without the prefix. */
  synchronized Map<String, ByteString> files() {
    return Map.copyOf(files);
  }

  /** Every event in the order of its arrival, over all streams. */
  synchronized List<Event> events() {
    return List.copyOf(events);
  }

  /** What no watch may do. */
  synchronized List<String> faults() {
    return List.copyOf(faults);
  }

  /** The newest revision that an event had. */
  synchronized long seen() {
    return seen;
  }

  void await(long revision, Duration limit) {
    Await.until("an event at " + revision, limit, () -> seen() >= revision);
  }

  synchronized void fault(String what) {
    faults.add(what);
  }

  /** Takes in one response's events. */
  synchronized void accept(List<Event> list) {
    if (list.isEmpty()) {
      return;
    }
    long first = list.get(0).getKv().getModRevision();
    if (first <= seen) {
      faults.add("a list that begins at " + first + " after " + seen);
    }
    list.forEach(this::apply);
  }

  @GuardedBy("this")
  private void apply(Event event) {
    events.add(event);
    seen = Math.max(seen, event.getKv().getModRevision());
    String name = event.getKv().getKey().substring(prefixBytes).toStringUtf8();
    if (event.getType() == Event.EventType.DELETE) {
      if (files.remove(name) == null) {
        faults.add("deleted, but never there: " + name);
      }
    } else {
      files.put(name, event.getKv().getValue());
    }
  }
}
