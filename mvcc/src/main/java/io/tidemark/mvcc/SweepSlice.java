package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One slice of physical compaction: walks a bounded number of rows of {@code rev} and removes the
 * versions they superseded; the last slice of a round then removes the walked rows below the target
 * with one range deletion. All rows of the target itself stay, since a watch may start there.
 */
final class SweepSlice {
  // Stepping over many single deletions of one key is slow, stepping over one range deletion isn't.
  private static final int RANGE_DELETE_FROM = 64;

  private final Engine engine;
  private final int rowsMax;

  SweepSlice(Engine engine, int rowsMax) {
    this.engine = engine;
    this.rowsMax = rowsMax;
  }

  /** Does the next slice of the round that is under way and returns the state after it. */
  SweepState run(SweepState state) {
    RawBatch batch = new RawBatch(rowsMax * 32);
    Map<ByteString, List<Long>> superseded = new HashMap<>();
    long removed = 0;
    long doomed = 0;
    long kept = 0;
    int rows = 0;
    SweepState next;
    byte[] end = KeyLayout.revKey(state.target() + 1, 0);
    byte[] from = KeyLayout.revKey(state.main(), state.sub());
    try (Scan scan = engine.scan(Family.REV, null, from, end, false)) {
      for (; scan.valid() && rows < rowsMax; scan.next(), rows++) {
        RevRow row = RevRow.decode(scan.key(), scan.value());
        if (row.supersedes()) {
          superseded.computeIfAbsent(row.key(), key -> new ArrayList<>(1)).add(row.before());
          removed += row.beforeBytes();
        }
        if (row.version().mod() < state.target()) {
          doomed += row.bytes();
        } else {
          kept += row.bytes();
        }
      }
      next = advanced(state, scan, removed, doomed, kept);
    }
    superseded.forEach((key, revisions) -> remove(batch, key, revisions));
    if (!next.underWay()) {
      byte[] oldest = KeyLayout.revKey(0, 0);
      batch.deleteRange(engine.familyId(Family.REV), oldest, KeyLayout.revKey(state.target(), 0));
      removeRuns(batch, state.target());
    }
    batch.put(engine.familyId(Family.META), SweepState.key(), next.encode());
    engine.write(batch.toBytes());
    return next;
  }

  private static SweepState advanced(
      SweepState state, Scan scan, long removed, long doomed, long kept) {
    boolean more = scan.valid();
    byte[] at = more ? scan.key() : KeyLayout.revKey(state.target() + 1, 0);
    SweepState walked =
        new SweepState(
            state.swept(),
            state.target(),
            KeyLayout.revMain(at),
            KeyLayout.revSub(at),
            state.removedBytes() + removed,
            state.doomedBytes() + doomed,
            state.keptBytes() + kept);
    return more ? walked : walked.finish();
  }

  /** Looking back to the target takes the changes behind it and no others. */
  private void removeRuns(RawBatch batch, long target) {
    for (int level = 0; level <= engine.shape().levels(); level++) {
      byte[] end = CountLayout.runKey(level, target + 1);
      batch.deleteRange(engine.familyId(Family.COUNT), CountLayout.runKey(level, 0), end);
    }
  }

  private void remove(RawBatch batch, ByteString key, List<Long> revisions) {
    int hist = engine.familyId(Family.HIST);
    if (revisions.size() < RANGE_DELETE_FROM) {
      revisions.forEach(main -> batch.singleDelete(hist, KeyLayout.histKey(key, main)));
      return;
    }
    // Newest first on disk: the range runs from the newest to just behind the oldest.
    long oldest = revisions.get(0);
    long newest = revisions.get(revisions.size() - 1);
    batch.deleteRange(hist, KeyLayout.histKey(key, newest), KeyLayout.histKey(key, oldest - 1));
  }
}
