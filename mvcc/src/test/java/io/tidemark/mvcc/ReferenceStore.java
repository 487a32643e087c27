package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The contract in its plainest form: every version ever made, in a sorted map. */
final class ReferenceStore {
  static final Comparator<ByteString> ORDER = ByteString.unsignedLexicographicalComparator();

  /** {@code pair} of a deletion holds the key and its revision only. */
  record Made(boolean deletion, KeyValue pair) {}

  record Answer(List<KeyValue> pairs, long count, boolean more) {}

  private final NavigableMap<ByteString, List<Made>> versions = new TreeMap<>(ORDER);
  private final List<List<Made>> history = new ArrayList<>();
  private List<Made> running = new ArrayList<>();
  private long revision = 1;
  private long compactRevision = -1;

  long revision() {
    return revision;
  }

  long compactRevision() {
    return compactRevision;
  }

  boolean changed() {
    return !running.isEmpty();
  }

  @Nullable KeyValue put(ByteString key, ByteString value, long lease) {
    KeyValue old = get(key, Long.MAX_VALUE);
    long main = revision + 1;
    KeyValue pair =
        KeyValue.newBuilder()
            .setKey(key)
            .setValue(value)
            .setLease(lease)
            .setModRevision(main)
            .setCreateRevision(old == null ? main : old.getCreateRevision())
            .setVersion(old == null ? 1 : old.getVersion() + 1)
            .build();
    add(new Made(false, pair));
    return old;
  }

  List<KeyValue> deleteRange(KeyRange range) {
    List<KeyValue> found = visible(range, Long.MAX_VALUE);
    for (KeyValue old : found) {
      add(
          new Made(
              true,
              KeyValue.newBuilder().setKey(old.getKey()).setModRevision(revision + 1).build()));
    }
    return found;
  }

  long finishCommand() {
    if (!running.isEmpty()) {
      revision++;
      history.add(running);
      running = new ArrayList<>();
    }
    return revision;
  }

  void compact(long at) {
    compactRevision = at;
  }

  @Nullable KeyValue get(ByteString key, long at) {
    List<Made> all = versions.getOrDefault(key, List.of());
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).pair().getModRevision() <= at) {
        return all.get(i).deletion() ? null : all.get(i).pair();
      }
    }
    return null;
  }

  List<KeyValue> visible(KeyRange range, long at) {
    List<KeyValue> out = new ArrayList<>();
    for (ByteString key : versions.keySet()) {
      KeyValue pair = range.contains(key) ? get(key, at) : null;
      if (pair != null) {
        out.add(pair);
      }
    }
    return out;
  }

  /** Null when the revision can't be read. */
  @Nullable Answer range(RangeQuery query) {
    long at = query.revision();
    if (at > revision || (at > 0 && at < compactRevision)) {
      return null;
    }
    List<KeyValue> all = visible(query.range(), at <= 0 ? Long.MAX_VALUE : at);
    long count = all.size();
    if (query.countOnly()) {
      return new Answer(List.of(), count, false);
    }
    List<KeyValue> rows = new ArrayList<>(all);
    boolean filters = !query.bounds().isUnset();
    long limit = query.limit();
    if (limit > 0 && query.order() == SortOrder.NONE && !filters && rows.size() > limit + 1) {
      rows = new ArrayList<>(rows.subList(0, (int) limit + 1));
    }
    rows.removeIf(row -> !admitted(query.bounds(), row));
    if (query.order() != SortOrder.NONE || query.target() != SortTarget.KEY) {
      Comparator<KeyValue> by = by(query.target());
      rows.sort(query.order() == SortOrder.DESCEND ? by.reversed() : by);
    }
    boolean more = limit > 0 && rows.size() > limit;
    if (more) {
      rows = rows.subList(0, (int) limit);
    }
    if (query.keysOnly()) {
      rows = rows.stream().map(r -> r.toBuilder().clearValue().build()).toList();
    }
    return new Answer(List.copyOf(rows), count, more);
  }

  /** What a replay from {@code from} on must show. */
  List<RevisionBatch> history(long from, boolean withPrevious) {
    List<RevisionBatch> out = new ArrayList<>();
    for (int i = 0; i < history.size(); i++) {
      long main = i + 2L;
      if (main >= from && main >= compactRevision) {
        boolean previous = withPrevious && main > compactRevision;
        out.add(Changes.batch(main, changes(main, history.get(i), previous)));
      }
    }
    return out;
  }

  /** What a commit must report for the revisions above {@code after}. */
  List<RevisionBatch> live(long after) {
    List<RevisionBatch> out = new ArrayList<>();
    for (long main = after + 1; main <= revision; main++) {
      out.add(Changes.batch(main, changes(main, history.get((int) main - 2), true)));
    }
    return out;
  }

  static List<KeyValue> pairs(RangePage page) {
    try {
      List<KeyValue> pairs = RangeResponse.parseFrom(page.kvs()).getKvsList();
      if (pairs.size() != page.size()) {
        throw new AssertionError(pairs.size() + " pairs, but size says " + page.size());
      }
      return pairs;
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private List<Change> changes(long main, List<Made> made, boolean withPrevious) {
    List<Change> out = new ArrayList<>();
    for (Made one : made) {
      KeyValue pair = one.pair();
      boolean creation = !one.deletion() && pair.getCreateRevision() == main;
      KeyValue previous = withPrevious && !creation ? get(pair.getKey(), main - 1) : null;
      out.add(new Change(one.deletion(), pair, previous));
    }
    return out;
  }

  private void add(Made made) {
    running.add(made);
    versions.computeIfAbsent(made.pair().getKey(), key -> new ArrayList<>()).add(made);
  }

  private static boolean admitted(RevisionBounds bounds, KeyValue row) {
    return inside(row.getModRevision(), bounds.minMod(), bounds.maxMod())
        && inside(row.getCreateRevision(), bounds.minCreate(), bounds.maxCreate());
  }

  private static boolean inside(long value, long min, long max) {
    return (min == 0 || value >= min) && (max == 0 || value <= max);
  }

  // A stable sort of rows that come in key order: equal rows stay in key order.
  private static Comparator<KeyValue> by(SortTarget target) {
    return switch (target) {
      case KEY -> Comparator.comparing(KeyValue::getKey, ORDER);
      case VERSION -> Comparator.comparingLong(KeyValue::getVersion);
      case CREATE -> Comparator.comparingLong(KeyValue::getCreateRevision);
      case MOD -> Comparator.comparingLong(KeyValue::getModRevision);
      case VALUE -> Comparator.comparing(KeyValue::getValue, ORDER);
    };
  }
}
