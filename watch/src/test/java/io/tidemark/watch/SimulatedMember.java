package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.mvcc.MvccStore;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One member of a simulated cluster: a real store, which applies the common log at its own pace,
 * and the watchers on it. Nothing of it runs but by the steps of the test.
 */
final class SimulatedMember implements HistorySource, AutoCloseable {
  /** One entry of the common log: some commands, or a compaction. */
  record Entry(List<RevisionBatch> expected, List<List<ModelHistory.Op>> commands, long compact) {}

  private final Path directory;
  private final List<Entry> log;
  private final WatchLimits limits;
  private final LongSupplier nanoClock;
  private final List<StreamProbe> probes = new ArrayList<>();
  private MvccStore store;
  private WatchableStore watch;
  private CursorAgent cursor;
  private int copies;

  SimulatedMember(Path directory, List<Entry> log, WatchLimits limits, LongSupplier nanoClock) {
    this.directory = directory;
    this.log = log;
    this.limits = limits;
    this.nanoClock = nanoClock;
    this.store = MvccStore.open(directory.resolve("0"), MvccLimits.defaults());
    this.watch = newWatch();
    this.cursor = watch.newCursor();
  }

  private WatchableStore newWatch() {
    return new WatchableStore(
        "test",
        new StoreHistory(this),
        limits,
        nanoClock,
        fault -> {
          throw new AssertionError(fault);
        });
  }

  @Override
  public ReadView view() {
    return store.view();
  }

  @Override
  public long revision() {
    return store.revision();
  }

  @Override
  public long compactRevision() {
    return store.compactRevision();
  }

  History history() {
    return new StoreHistory(this);
  }

  WatchableStore watch() {
    return watch;
  }

  StreamProbe open(ModelHistory model) {
    StreamProbe probe = new StreamProbe(model, history(), watch, () -> {});
    probes.add(probe);
    return probe;
  }

  List<StreamProbe> probes() {
    return probes;
  }

  void forget(StreamProbe probe) {
    probes.remove(probe);
    probe.stream().close();
    assertTrue(probe.readAll().isEmpty(), "a closed stream speaks");
  }

  private int applied() {
    return (int) store.applied().index() + 1;
  }

  boolean behind() {
    return applied() < log.size();
  }

  /** Applies the next entry, if there is one. */
  void apply() {
    int index = applied();
    if (index >= log.size()) {
      return;
    }
    Entry entry = log.get(index);
    try (EntryBatch batch = store.begin(1, index)) {
      entry.commands().forEach(ops -> run(batch, ops));
      if (entry.compact() > 0) {
        batch.compact(entry.compact());
      }
      List<RevisionBatch> batches = batch.commit();
      checkSame(entry.expected(), batches);
      watch.publish(batches);
    }
    if (entry.compact() > 0) {
      watch.compacted(entry.compact());
      sweep(entry.compact());
    }
  }

  private static void run(EntryBatch batch, List<ModelHistory.Op> ops) {
    for (ModelHistory.Op op : ops) {
      if (op.value() == null) {
        batch.deleteRange(KeyRange.single(WatchRig.bytes(op.key())));
      } else {
        batch.put(WatchRig.bytes(op.key()), WatchRig.bytes(op.value()), 0);
      }
    }
    batch.finishCommand();
  }

  private static void checkSame(List<RevisionBatch> expected, List<RevisionBatch> batches) {
    assertEquals(expected.size(), batches.size(), "revisions of one entry");
    for (int i = 0; i < batches.size(); i++) {
      assertEquals(expected.get(i).revision(), batches.get(i).revision());
      assertEquals(expected.get(i).changes(), batches.get(i).changes());
    }
  }

  /** Removes at once what was compacted: when the store's thread gets to it isn't in the seed. */
  private void sweep(long revision) {
    try {
      store.physicalCompaction(revision).get();
    } catch (InterruptedException | ExecutionException failed) {
      throw new AssertionError(failed);
    }
  }

  /** Replaces the store by a copy of another member's, if that one is ahead. */
  void install(SimulatedMember other) {
    if (other.applied() <= applied()) {
      return;
    }
    Path copy = directory.resolve(Integer.toString(++copies));
    other.store.checkpoint(copy);
    MvccStore old = store;
    store = MvccStore.open(copy, MvccLimits.defaults());
    watch.restored();
    assertEquals(0, watch.gauges().synced(), "synced at the swap");
    old.close();
  }

  int installs() {
    return copies;
  }

  /** Stops and starts again; all streams end. */
  void restart() {
    List.copyOf(probes).forEach(this::forget);
    run();
    checkNothingLeft();
    watch.close();
    store.close();
    Path newest = directory.resolve(Integer.toString(copies));
    store = MvccStore.open(newest, MvccLimits.defaults());
    watch = newWatch();
    cursor = watch.newCursor();
  }

  int turn() {
    return watch.dispatcher().doWork();
  }

  int cursorTurn() {
    return cursor.doWork();
  }

  /** Lets everything run without anybody reading. */
  void run() {
    while (turn() + cursorTurn() > 0) {}
  }

  /** Applies everything; everybody reads until nothing happens any more. */
  void settle() {
    while (behind()) {
      apply();
    }
    boolean more = true;
    while (more) {
      run();
      more = false;
      for (StreamProbe probe : probes) {
        more |= !probe.readAll().isEmpty();
      }
    }
  }

  void checkGauges() {
    WatchGauges now = watch.gauges();
    assertEquals(now.watchers(), now.synced() + now.unsynced() + now.victims());
    long queued = probes.stream().mapToLong(probe -> probe.stream().outbox().bytes()).sum();
    assertEquals(queued, now.queuedBytes(), "I8: accounted bytes");
  }

  void checkNothingLeft() {
    WatchGauges end = watch.gauges();
    assertEquals(
        List.of(0, 0, 0, 0, 0),
        List.of(end.streams(), end.watchers(), end.synced(), end.unsynced(), end.victims()),
        () -> "I8: drifted " + end);
    assertEquals(0, end.queuedBytes());
    assertEquals(0, end.pendingEvents());
  }

  @Override
  public void close() {
    watch.close();
    store.close();
  }

  /** The stream this probe reads is one of this member's, and wasn't ended by a restart. */
  boolean serves(@Nullable StreamProbe probe) {
    return probe != null && probes.contains(probe);
  }
}
