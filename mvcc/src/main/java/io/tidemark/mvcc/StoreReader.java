package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.Snapshot;

/**
 * Reads the families at a revision, through a snapshot or, for the apply thread, as they are now.
 *
 * @param snapshot null for the present
 * @param options belongs to the owner of the snapshot
 */
record StoreReader(
    Engine engine, @Nullable Snapshot snapshot, ReadOptions options, StoreState state)
    implements RevisionSource {

  @Override
  public long resolve(long asked) {
    if (asked <= 0) {
      return state.revision();
    }
    if (asked > state.revision()) {
      throw new FutureRevisionException(asked, state.revision());
    }
    if (asked < state.compactRevision()) {
      throw new CompactedException(asked, state.compactRevision());
    }
    return asked;
  }

  @Override
  public @Nullable Version find(ByteString key, long resolved) {
    byte[] row = engine.get(Family.CUR, key.toByteArray(), options);
    if (row != null) {
      Version newest = Version.fromCur(row);
      if (newest.mod() <= resolved) {
        return newest;
      }
    }
    return resolved >= state.revision() ? null : findPast(key, resolved);
  }

  private @Nullable Version findPast(ByteString key, long resolved) {
    byte[] from = KeyLayout.histKey(key, resolved);
    try (Scan scan = engine.scan(Family.HIST, snapshot, from, KeyLayout.afterHistKey(from), true)) {
      if (!scan.valid()) {
        return null;
      }
      byte[] row = scan.value();
      return Version.supersededAt(row) > resolved
          ? Version.fromHist(KeyLayout.histMain(scan.key()), row)
          : null;
    }
  }

  @Override
  public VisibleCursor cursor(KeyRange range, long resolved) {
    if (range.isSingle()) {
      return new PointCursor(range.key(), find(range.key(), resolved));
    }
    Scan current = plainScan(Family.CUR, range);
    return resolved >= state.revision()
        ? new HeadCursor(current)
        : new PastCursor(current, pastKeys(range, resolved), resolved);
  }

  @Override
  public long count(KeyRange range, long resolved) {
    if (range.isEmpty()) {
      return 0;
    }
    if (range.isSingle()) {
      return find(range.key(), resolved) == null ? 0 : 1;
    }
    byte[] from = range.key().toByteArray();
    byte[] end = range.isUnbounded() ? null : range.rangeEnd().toByteArray();
    long now = LiveCount.of(this, from, end);
    return resolved >= state.revision() ? now : now - Turnover.since(this, from, end, resolved);
  }

  private Scan plainScan(Family family, KeyRange range) {
    byte[] end = range.isUnbounded() ? null : range.rangeEnd().toByteArray();
    return engine.scan(family, snapshot, range.key().toByteArray(), end, true);
  }

  private PastKeys pastKeys(KeyRange range, long resolved) {
    byte[] end = range.isUnbounded() ? null : KeyLayout.histPrefix(range.rangeEnd());
    byte[] from = KeyLayout.histPrefix(range.key());
    return new PastKeys(engine.scan(Family.HIST, snapshot, from, end, true), resolved);
  }

  @Nullable ByteString tableGet(Table table, ByteString key) {
    byte[] value = engine.get(Family.SYS, KeyLayout.tableKey(table, key), options);
    return value == null ? null : UnsafeByteOperations.unsafeWrap(value);
  }

  void tableScan(Table table, ByteString prefix, BiConsumer<ByteString, ByteString> visitor) {
    byte[] from = KeyLayout.tableKey(table, prefix);
    byte[] end = KeyLayout.afterPrefix(from);
    try (Scan scan = engine.scan(Family.SYS, snapshot, from, end, true)) {
      for (; scan.valid(); scan.next()) {
        byte[] key = scan.key();
        visitor.accept(
            UnsafeByteOperations.unsafeWrap(key, 1, key.length - 1),
            UnsafeByteOperations.unsafeWrap(scan.value()));
      }
    }
  }
}
