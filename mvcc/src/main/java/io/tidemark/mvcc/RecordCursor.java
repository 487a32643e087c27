package io.tidemark.mvcc;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Everything a compacted store has to keep, ascending by revision: of each key the version that is
 * visible at the compact revision, then all changes from the compact revision on, deletions
 * included. Loading these records with {@link StoreLoad} gives an equal store.
 *
 * <p>One thread at a time. Blocks on the disk. Memory is bounded by what {@link ReadView#records}
 * was told and by the rows of a single revision. Versions older than the compact revision lie in
 * the order of their keys, so they are found window by window, at one scan of the small rows each.
 */
public final class RecordCursor implements AutoCloseable {
  // An open iterator pins memtables and files that are gone otherwise; a snapshot alone doesn't.
  private static final int ROWS_PER_SCAN = 8_192;
  private static final long BYTES_PER_SCAN = 16L * 1024 * 1024;

  private final SharedSnapshot snapshot;
  private final StoreReader reader;
  private @Nullable SettledRecords settled;
  private @Nullable Scan scan;
  private byte[] from;
  private int rows;
  private long bytes;
  private boolean closed;

  private RecordCursor(SharedSnapshot snapshot, StoreReader reader, long memoryBytes) {
    this.snapshot = snapshot;
    this.reader = reader;
    this.settled = new SettledRecords(reader, memoryBytes);
    this.from = KeyLayout.revKey(Math.max(0, reader.state().compactRevision()), 0);
  }

  /** The caller must be a user of {@code snapshot}. */
  static RecordCursor open(SharedSnapshot snapshot, StoreReader reader, long memoryBytes) {
    if (!snapshot.retain()) {
      throw new IllegalStateException("the view is closed");
    }
    return new RecordCursor(snapshot, reader, memoryBytes);
  }

  /** The next record; null when there are no more. */
  public @Nullable StoredRecord next() {
    if (closed) {
      throw new IllegalStateException("the cursor is closed");
    }
    SettledRecords older = settled;
    if (older != null) {
      StoredRecord record = older.next();
      if (record != null) {
        return record;
      }
      older.close();
      settled = null;
    }
    return nextChange();
  }

  private @Nullable StoredRecord nextChange() {
    Scan open = scan;
    if (open == null) {
      open = reader.engine().scan(Family.REV, reader.snapshot(), from, null, false);
      scan = open;
      rows = 0;
      bytes = 0;
    }
    if (!open.valid()) {
      return null;
    }
    byte[] key = open.key();
    RevRow row = RevRow.decode(key, open.value());
    open.next();
    bytes += row.bytes();
    if (++rows >= ROWS_PER_SCAN || bytes >= BYTES_PER_SCAN) {
      from = Arrays.copyOf(key, key.length + 1); // the smallest key behind this one
      open.close();
      scan = null;
    }
    Version version = row.version();
    return new StoredRecord(
        version.mod(), version.sub(), version.tombstone(), version.toKeyValue(row.key()));
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (settled != null) {
      settled.close();
    }
    if (scan != null) {
      scan.close();
    }
    snapshot.release();
  }
}
