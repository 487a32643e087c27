package io.tidemark.watch;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.judge.EventLog;
import io.tidemark.mvcc.Change;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.RevisionBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory, trivially correct, and strict: asking for what the port forbids fails. Also
 * knows what each watcher has to see.
 */
final class ModelHistory implements History {
  /** One operation of a command: a put, or a deletion when the value is null. */
  record Op(String key, @Nullable String value) {}

  private static final WatchSpec EVERYTHING =
      new WatchSpec(
          KeyRange.from(ByteString.copyFromUtf8("\0")), 1, 0, false, false, false, true, false);

  private final List<RevisionBatch> batches = Collections.synchronizedList(new ArrayList<>());
  private final Map<ByteString, KeyValue> current = new TreeMap<>(KeyOrder::compare);
  private volatile long revision = 1;
  private volatile long compactRevision = -1;
  private int openSnapshots;

  @Override
  public long revision() {
    return revision;
  }

  @Override
  public long compactRevision() {
    return compactRevision;
  }

  int openSnapshots() {
    return openSnapshots;
  }

  void compact(long at) {
    compactRevision = at;
  }

  /** Runs one command; null when it changed nothing. */
  @Nullable RevisionBatch write(List<Op> ops) {
    long next = revision + 1;
    List<Change> changes = new ArrayList<>();
    long bytes = 64;
    for (Op op : ops) {
      ByteString key = ByteString.copyFromUtf8(op.key());
      KeyValue previous = current.get(key);
      if (op.value() == null) {
        if (previous == null) {
          continue;
        }
        current.remove(key);
        KeyValue gone = KeyValue.newBuilder().setKey(key).setModRevision(next).build();
        changes.add(new Change(true, gone, previous));
      } else {
        KeyValue put =
            KeyValue.newBuilder()
                .setKey(key)
                .setValue(ByteString.copyFromUtf8(op.value()))
                .setModRevision(next)
                .setCreateRevision(previous == null ? next : previous.getCreateRevision())
                .setVersion(previous == null ? 1 : previous.getVersion() + 1)
                .build();
        current.put(key, put);
        changes.add(new Change(false, put, previous));
      }
      bytes += 64 + op.key().length() + (op.value() == null ? 0 : op.value().length());
    }
    if (changes.isEmpty()) {
      return null;
    }
    RevisionBatch batch = new RevisionBatch(next, changes, bytes);
    batches.add(batch);
    revision = next;
    return batch;
  }

  /** What a watcher has to see of the revisions between the two, both included. */
  List<Event> events(WatchSpec spec, long from, long to) {
    List<Event> events = new ArrayList<>();
    for (long r = Math.max(2, from); r <= Math.min(to, revision); r++) {
      for (Change change : batches.get((int) r - 2).changes()) {
        boolean filtered = change.deletion() ? spec.noDelete() : spec.noPut();
        if (filtered || !spec.range().contains(change.current().getKey())) {
          continue;
        }
        Event.Builder event =
            Event.newBuilder()
                .setType(change.deletion() ? Event.EventType.DELETE : Event.EventType.PUT)
                .setKv(change.current());
        if (spec.prevKv() && change.previous() != null) {
          event.setPrevKv(change.previous());
        }
        events.add(event.build());
      }
    }
    return events;
  }

  /** Everything that ever happened, for the judge. */
  EventLog log() {
    return new EventLog(events(EVERYTHING, 1, revision));
  }

  @Override
  public Snapshot open() {
    openSnapshots++;
    long at = revision;
    long compactedAt = compactRevision;
    return new Snapshot() {
      @Override
      public long revision() {
        return at;
      }

      @Override
      public long compactRevision() {
        return compactedAt;
      }

      @Override
      public Batches from(long first, boolean withPrevious) {
        if (first < compactedAt || first > at) {
          throw new IllegalStateException(
              "history from " + first + " of " + compactedAt + ".." + at);
        }
        return read(first, at, withPrevious);
      }

      @Override
      public void close() {
        openSnapshots--;
      }
    };
  }

  private Batches read(long first, long last, boolean withPrevious) {
    int from = (int) Math.max(0, first - 2);
    List<RevisionBatch> stretch;
    // The list's own lock: a writer that adds meanwhile would break the copy off.
    synchronized (batches) {
      stretch = List.copyOf(batches.subList(from, Math.max(from, (int) last - 1)));
    }
    Iterator<RevisionBatch> rest = stretch.iterator();
    return new Batches() {
      @Override
      public @Nullable RevisionBatch next() {
        if (!rest.hasNext()) {
          return null;
        }
        RevisionBatch batch = rest.next();
        return withPrevious ? batch : withoutPrevious(batch);
      }

      @Override
      public void close() {}
    };
  }

  private static RevisionBatch withoutPrevious(RevisionBatch batch) {
    List<Change> changes =
        batch.changes().stream()
            .map(change -> new Change(change.deletion(), change.current(), null))
            .toList();
    return new RevisionBatch(batch.revision(), changes, batch.bytes());
  }
}
