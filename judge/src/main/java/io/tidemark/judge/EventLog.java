package io.tidemark.judge;

import static io.tidemark.judge.Violation.Kind.REVISION_GAP;
import static io.tidemark.judge.Violation.Kind.WRONG_FIELDS;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a store says happened from its first revision on: the events of a watch on everything from
 * revision 1, with previous pairs. Immutable.
 */
public final class EventLog {
  private static final long FIRST_CHANGE = 2;

  private final List<Event> events;
  private final NavigableMap<Long, List<Event>> byRevision = new TreeMap<>();
  private final Map<ByteString, NavigableMap<Long, Optional<KeyValue>>> states = new HashMap<>();
  private final List<Violation> faults = new ArrayList<>();

  public EventLog(List<Event> events) {
    this.events = List.copyOf(events);
    long last = FIRST_CHANGE - 1;
    for (Event event : events) {
      long revision = event.getKv().getModRevision();
      if (revision != last && revision != last + 1) {
        fault(REVISION_GAP, "revision " + revision + " follows " + last);
      }
      last = Math.max(last, revision);
      byRevision.computeIfAbsent(revision, r -> new ArrayList<>()).add(event);
      replay(event);
    }
  }

  private void replay(Event event) {
    KeyValue kv = event.getKv();
    Optional<KeyValue> before = latest(kv.getKey());
    NavigableMap<Long, Optional<KeyValue>> history =
        states.computeIfAbsent(kv.getKey(), key -> new TreeMap<>());
    if (event.getType() == Event.EventType.DELETE) {
      KeyValue bare =
          KeyValue.newBuilder().setKey(kv.getKey()).setModRevision(kv.getModRevision()).build();
      if (before.isEmpty() || !kv.equals(bare)) {
        fault(WRONG_FIELDS, "delete after " + before + ": " + event);
      }
      history.put(kv.getModRevision(), Optional.empty());
    } else {
      long create = before.map(KeyValue::getCreateRevision).orElse(kv.getModRevision());
      long version = before.map(KeyValue::getVersion).orElse(0L) + 1;
      if (kv.getCreateRevision() != create || kv.getVersion() != version) {
        fault(WRONG_FIELDS, "put after " + before + ": " + event);
      }
      history.put(kv.getModRevision(), Optional.of(kv));
    }
    if (event.hasPrevKv() && !Optional.of(event.getPrevKv()).equals(before)) {
      fault(WRONG_FIELDS, "previous pair should be " + before + ": " + event);
    }
  }

  private Optional<KeyValue> latest(ByteString key) {
    NavigableMap<Long, Optional<KeyValue>> history = states.get(key);
    return history == null ? Optional.empty() : history.lastEntry().getValue();
  }

  private void fault(Violation.Kind kind, String detail) {
    faults.add(new Violation(kind, detail));
  }

  /** What is wrong with the log by itself. */
  public List<Violation> faults() {
    return List.copyOf(faults);
  }

  /** All events in order. */
  public List<Event> events() {
    return events;
  }

  /** The events of one revision, in order; none when nothing was changed then. */
  public List<Event> at(long revision) {
    return byRevision.getOrDefault(revision, List.of());
  }

  /** The newest revision; 1 when nothing ever happened. */
  public long lastRevision() {
    return byRevision.isEmpty() ? FIRST_CHANGE - 1 : byRevision.lastKey();
  }

  /** A key's pair as of a revision. */
  public Optional<KeyValue> stateAt(String key, long revision) {
    NavigableMap<Long, Optional<KeyValue>> history = states.get(ByteString.copyFromUtf8(key));
    Map.Entry<Long, Optional<KeyValue>> entry =
        history == null ? null : history.floorEntry(revision);
    return entry == null ? Optional.empty() : entry.getValue();
  }

  /** All pairs as of the newest revision, by key. */
  public Map<ByteString, KeyValue> finalState() {
    Map<ByteString, KeyValue> all = new HashMap<>();
    states.forEach(
        (key, history) -> history.lastEntry().getValue().ifPresent(kv -> all.put(key, kv)));
    return all;
  }
}
