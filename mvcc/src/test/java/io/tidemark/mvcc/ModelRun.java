package io.tidemark.mvcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Does steps to a store and to the reference, and compares them. */
final class ModelRun implements Step.Cases<Void>, AutoCloseable {
  private static final Step.Entry NO_COMMANDS = new Step.Entry(List.of());

  // So small that splits, joins and every level of the runs come up within a few revisions.
  static final CountShape SHAPE = new CountShape(3, 3, 2, 2, 4);

  private final Path directory;
  private final MvccLimits limits;
  private final List<Step.Entry> log = new ArrayList<>();
  private ReferenceStore reference = new ReferenceStore();
  private MvccStore store;
  private int flushed;
  private int checkpoints;

  ModelRun(Path directory, MvccLimits limits) {
    this.directory = directory;
    this.limits = limits;
    this.store = open(directory.resolve("db"));
  }

  private MvccStore open(Path at) {
    return MvccStore.open(at, limits, "model", SHAPE);
  }

  MvccStore store() {
    return store;
  }

  ReferenceStore reference() {
    return reference;
  }

  @Override
  public Void entry(Step.Entry step) {
    log.add(step);
    apply(store, reference, step, log.size());
    return null;
  }

  @Override
  public Void advance() {
    log.add(NO_COMMANDS);
    store.advance(1, log.size());
    return null;
  }

  @Override
  public Void flush() {
    store.flush();
    flushed = log.size();
    return null;
  }

  @Override
  public Void reopen() {
    store.close();
    assertTrue(store.released().isDone());
    flushed = log.size();
    store = open(directory.resolve("db"));
    assertEquals(log.size(), appliedEntries(store));
    return null;
  }

  @Override
  public Void crash() {
    store.closeWithoutFlush();
    store = open(directory.resolve("db"));
    int kept = appliedEntries(store);
    assertTrue(kept >= flushed, "lost flushed entries");
    ReferenceStore prefix = new ReferenceStore();
    for (int i = 0; i < kept; i++) {
      applyToReference(prefix, log.get(i));
    }
    check(store, prefix);
    for (int i = kept; i < log.size(); i++) {
      apply(store, prefix, log.get(i), i + 1);
    }
    reference = prefix;
    return null;
  }

  @Override
  public Void awaitSweep() {
    try {
      store.physicalCompaction(store.compactRevision()).get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return null;
  }

  @Override
  public Void awaitRuns() {
    try {
      store.runs().awaitBuilt(store.revision());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return null;
  }

  @Override
  public Void checkpoint() {
    Path copy = directory.resolve("copy" + checkpoints++);
    AppliedPosition position = store.checkpoint(copy);
    flushed = log.size();
    assertEquals(store.applied(), position);
    assertEquals(position, MvccStore.positionOf(copy));
    try (MvccStore opened = open(copy)) {
      check(opened, reference);
    }
    return null;
  }

  void check() {
    check(store, reference);
  }

  void checkCounts(List<KeyRange> ranges) {
    checkCounts(store, reference, ranges);
  }

  /** A store loaded with the records of this one shows the same. */
  void checkLoaded() {
    Path copy = directory.resolve("loaded");
    AppliedPosition position = new AppliedPosition(7, 9);
    Map<ByteString, Long> leases = new HashMap<>();
    try (ReadView view = store.view();
        // No room for two rows: every path of sorting is walked.
        RecordCursor records = view.records(1);
        StoreLoad load =
            StoreLoad.into(
                copy,
                limits,
                view.compactRevision(),
                (unused, key, from, to) -> {
                  Long before = leases.put(key, to);
                  assertEquals(from, before == null ? 0 : before);
                },
                SHAPE)) {
      view.close();
      for (StoredRecord next = records.next(); next != null; next = records.next()) {
        load.add(next);
      }
      load.finish(view.revision(), position);
    }
    Map<ByteString, Long> visible = new HashMap<>();
    reference
        .visible(KeyRange.ALL, reference.revision())
        .forEach(pair -> visible.put(pair.getKey(), pair.getLease()));
    leases.values().removeIf(lease -> lease == 0);
    visible.values().removeIf(lease -> lease == 0);
    assertEquals(visible, leases);
    try (MvccStore loaded = open(copy)) {
      assertEquals(position, loaded.applied());
      check(loaded, reference);
      try (ReadView mine = store.view();
          ReadView theirs = loaded.view()) {
        assertEquals(mine.digest(0).hash(), theirs.digest(0).hash());
      }
    }
  }

  static void check(MvccStore store, ReferenceStore reference) {
    assertEquals(reference.revision(), store.revision());
    assertEquals(reference.compactRevision(), store.compactRevision());
    try (ReadView view = store.view()) {
      assertEquals(reference.revision(), view.revision());
      assertEquals(reference.compactRevision(), view.compactRevision());
      long oldest = Math.max(1, reference.compactRevision());
      for (long at = oldest; at <= reference.revision(); at++) {
        List<KeyValue> expected = reference.visible(KeyRange.ALL, at);
        List<KeyValue> actual = new ArrayList<>();
        view.forEach(KeyRange.ALL, at, actual::add);
        assertEquals(expected, actual, "at revision " + at);
        for (KeyValue pair : expected) {
          assertEquals(pair, view.get(pair.getKey(), at));
        }
        assertEquals(reference.history(at, true), replay(view, at, true));
      }
      assertEquals(reference.history(oldest, false), replay(view, oldest, false));
      long future = reference.revision() + 1;
      assertEquals(List.of(), replay(view, future, true));
      assertThrows(FutureRevisionException.class, () -> view.count(KeyRange.ALL, future));
      if (oldest > 1) {
        assertThrows(CompactedException.class, () -> view.count(KeyRange.ALL, oldest - 1));
        assertThrows(CompactedException.class, () -> view.history(oldest - 1, false));
      }
    }
  }

  /** Every count that can be asked for, of some ranges. */
  static void checkCounts(MvccStore store, ReferenceStore reference, List<KeyRange> ranges) {
    CountRows.check(store);
    try (ReadView view = store.view()) {
      for (long at = Math.max(1, reference.compactRevision()); at <= reference.revision(); at++) {
        List<KeyValue> all = reference.visible(KeyRange.ALL, at);
        assertEquals(all.size(), view.count(KeyRange.ALL, at));
        for (KeyRange range : ranges) {
          long expected = all.stream().filter(pair -> range.contains(pair.getKey())).count();
          long revision = at;
          assertEquals(expected, view.count(range, at), () -> range + " at " + revision);
        }
      }
    }
  }

  static void checkQuery(ReadView view, ReferenceStore reference, RangeQuery query) {
    ReferenceStore.Answer expected = reference.range(query);
    if (expected == null) {
      assertThrows(RevisionException.class, () -> view.range(query));
      return;
    }
    compare(expected, view.range(query), query);
  }

  static List<RevisionBatch> replay(ReadView view, long from, boolean withPrevious) {
    List<RevisionBatch> out = new ArrayList<>();
    try (HistoryCursor cursor = view.history(from, withPrevious)) {
      assertEquals(from, cursor.position());
      while (cursor.next()) {
        out.add(cursor.batch());
        assertEquals(cursor.batch().revision() + 1, cursor.position());
      }
      assertEquals(Math.max(from, view.revision() + 1), cursor.position());
    }
    return out;
  }

  static void apply(MvccStore store, ReferenceStore reference, Step.Entry entry, long index) {
    try (EntryBatch batch = store.begin(1, index)) {
      long before = reference.revision();
      for (Step.Command command : entry.commands()) {
        for (Step.Op op : command.ops()) {
          op.on(new BothSides(batch, reference));
          assertEquals(reference.changed(), batch.changed());
        }
        assertEquals(reference.finishCommand(), batch.finishCommand());
        long at = compactTarget(reference, command);
        if (at > 0) {
          reference.compact(at);
          batch.compact(at);
        }
        assertEquals(reference.compactRevision(), batch.compactRevision());
      }
      assertEquals(reference.live(before), batch.commit());
    }
  }

  private static void applyToReference(ReferenceStore reference, Step.Entry entry) {
    for (Step.Command command : entry.commands()) {
      for (Step.Op op : command.ops()) {
        op.on(new ReferenceSide(reference));
      }
      reference.finishCommand();
      long at = compactTarget(reference, command);
      if (at > 0) {
        reference.compact(at);
      }
    }
  }

  private static long compactTarget(ReferenceStore reference, Step.Command command) {
    long at = reference.revision() - command.compactBack();
    boolean allowed =
        command.compactBack() != Step.Command.NONE && at > reference.compactRevision() && at > 0;
    return allowed ? at : 0;
  }

  private static void compare(ReferenceStore.Answer expected, RangePage page, RangeQuery query) {
    assertEquals(expected.pairs(), ReferenceStore.pairs(page), () -> "pairs of " + query);
    assertEquals(expected.count(), page.count(), () -> "count of " + query);
    assertEquals(expected.more(), page.more(), () -> "more of " + query);
  }

  private int appliedEntries(MvccStore opened) {
    return (int) Math.max(0, opened.applied().index());
  }

  @Override
  public void close() {
    store.close();
  }

  private record BothSides(EntryBatch batch, ReferenceStore reference)
      implements Step.OpCases<Void> {
    @Override
    public Void put(Step.Put op) {
      KeyValue expected = reference.put(op.key(), op.value(), op.lease());
      assertEquals(expected, batch.put(op.key(), op.value(), op.lease()));
      KeyValue now = batch.get(op.key());
      assertNotNull(now);
      assertEquals(op.value(), now.getValue());
      return null;
    }

    @Override
    public Void delete(Step.Delete op) {
      batch.prefetch(List.of(op.range().key(), ByteString.EMPTY));
      assertEquals(reference.deleteRange(op.range()), batch.deleteRange(op.range()));
      return null;
    }

    @Override
    public Void read(Step.Read op) {
      ReferenceStore.Answer expected = reference.range(op.query());
      if (expected == null) {
        assertThrows(RevisionException.class, () -> batch.range(op.query()));
      } else {
        compare(expected, batch.range(op.query()), op.query());
      }
      return null;
    }
  }

  private record ReferenceSide(ReferenceStore reference) implements Step.OpCases<Void> {
    @Override
    public Void put(Step.Put op) {
      reference.put(op.key(), op.value(), op.lease());
      return null;
    }

    @Override
    public Void delete(Step.Delete op) {
      reference.deleteRange(op.range());
      return null;
    }

    @Override
    public Void read(Step.Read op) {
      return null;
    }
  }
}
