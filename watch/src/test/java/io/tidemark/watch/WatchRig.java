package io.tidemark.watch;

import com.google.protobuf.ByteString;
import io.tidemark.judge.EventLog;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.RevisionBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A watchable store without threads: tests decide who takes the next turn and what time it is. */
final class WatchRig {
  static final WatchLimits SMALL =
      new WatchLimits(1 << 20, 16, 4_096, 1 << 20, 1_024, 5, 600, Duration.ofSeconds(1));

  final ModelHistory model;
  final WatchableStore store;
  final Dispatcher dispatcher;
  private final CursorAgent cursor;
  private final List<StreamProbe> probes = new ArrayList<>();
  private long now = Long.MAX_VALUE - 1_000; // close to where nanosecond clocks wrap

  WatchRig(WatchLimits limits) {
    this(limits, new ModelHistory());
  }

  WatchRig(WatchLimits limits, ModelHistory model) {
    this.model = model;
    this.store =
        new WatchableStore(
            "test",
            model,
            limits,
            () -> now,
            fault -> {
              throw new AssertionError(fault);
            });
    this.dispatcher = store.dispatcher();
    this.cursor = store.newCursor();
  }

  StreamProbe open() {
    StreamProbe probe = new StreamProbe(model, store, () -> {});
    probes.add(probe);
    return probe;
  }

  /** The stream is closed: nothing more is expected of it. */
  void forget(StreamProbe probe) {
    probes.remove(probe);
  }

  void put(String key, String value) {
    write(new ModelHistory.Op(key, value));
  }

  void delete(String key) {
    write(new ModelHistory.Op(key, null));
  }

  /** Runs one command and publishes it. */
  void write(ModelHistory.Op... ops) {
    RevisionBatch batch = model.write(Arrays.asList(ops));
    if (batch != null) {
      store.publish(List.of(batch));
    }
  }

  /** Puts the same key over and over. */
  void puts(String key, int times) {
    for (int i = 0; i < times; i++) {
      put(key, "v" + i);
    }
  }

  void compact(long revision) {
    model.compact(revision);
    store.compacted(revision);
  }

  /** The member installs a snapshot that is ahead by some revisions of one key. */
  void restoreAhead(String key, int revisions) {
    for (int i = 0; i < revisions; i++) {
      model.write(List.of(new ModelHistory.Op(key, "s" + i)));
    }
    store.restored();
  }

  void advance(Duration time) {
    now += time.toNanos();
  }

  /** One turn of the dispatcher. */
  int turn() {
    return dispatcher.doWork();
  }

  /** One turn of a cursor thread. */
  int cursorTurn() {
    return cursor.doWork();
  }

  /** Lets everything run without anybody reading. */
  void run() {
    while (turn() + cursorTurn() > 0) {}
  }

  /** Lets everything run with everybody reading, until nothing happens any more. */
  void runAndRead() {
    boolean more = true;
    while (more) {
      run();
      more = false;
      for (StreamProbe probe : probes) {
        more |= !probe.readAll().isEmpty();
      }
    }
  }

  void checkComplete() {
    runAndRead();
    EventLog log = model.log();
    probes.forEach(
        probe -> {
          probe.checkComplete();
          probe.judge(log, model.revision());
        });
  }

  static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  static KeyRange key(String key) {
    return KeyRange.single(bytes(key));
  }

  static KeyRange range(String from, String to) {
    return new KeyRange(bytes(from), bytes(to));
  }

  static WatchSpec watch(KeyRange range, long start) {
    return WatchSpec.of(range, start);
  }

  static WatchSpec watch(KeyRange range, long start, long id) {
    return new WatchSpec(range, start, id, false, false, false, false, false);
  }
}
