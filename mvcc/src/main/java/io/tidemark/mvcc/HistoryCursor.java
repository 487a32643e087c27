package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Replays what happened, one whole revision after the other, ascending, from a snapshot.
 *
 * <p>One thread at a time. Blocks on the disk. The deletions at the compact revision are kept, so a
 * replay from there shows them; previous pairs at that revision are compacted and absent.
 */
public final class HistoryCursor implements AutoCloseable {
  /** What a replay shows. */
  record Wish(boolean previous, Predicate<ByteString> keys) {}

  private final SharedSnapshot snapshot;
  private final StoreReader reader;
  private final Scan scan;
  private final Wish wish;
  private @Nullable RevisionBatch batch;
  private long position;
  private boolean closed;

  private HistoryCursor(
      SharedSnapshot snapshot, StoreReader reader, Scan scan, long from, Wish wish) {
    this.snapshot = snapshot;
    this.reader = reader;
    this.scan = scan;
    this.position = from;
    this.wish = wish;
  }

  /** The caller must be a user of {@code snapshot}. */
  static HistoryCursor open(SharedSnapshot snapshot, StoreReader reader, long from, Wish wish) {
    if (!snapshot.retain()) {
      throw new IllegalStateException("the view is closed");
    }
    byte[] start = KeyLayout.revKey(from, 0);
    Scan scan = reader.engine().scan(Family.REV, reader.snapshot(), start, null, true);
    return new HistoryCursor(snapshot, reader, scan, from, wish);
  }

  /** Moves to the next revision; false at the view's newest one. */
  public boolean next() {
    if (closed) {
      throw new IllegalStateException("the cursor is closed");
    }
    while (scan.valid()) {
      long main = KeyLayout.revMain(scan.key());
      List<RevRow> rows = wantedRows(main);
      position = main + 1;
      if (!rows.isEmpty()) {
        batch = Changes.batch(main, changes(main, rows));
        return true;
      }
    }
    batch = null;
    position = Math.max(position, reader.state().revision() + 1);
    return false;
  }

  /** Reads the rows of {@code main}, on the first of which the scan stands. */
  private List<RevRow> wantedRows(long main) {
    List<RevRow> rows = new ArrayList<>(1);
    while (scan.valid()) {
      byte[] key = scan.key();
      if (KeyLayout.revMain(key) != main) {
        break;
      }
      RevRow row = RevRow.decode(key, scan.value());
      if (wish.keys().test(row.key())) {
        rows.add(row);
      }
      scan.next();
    }
    return rows;
  }

  /** What {@link #next()} moved to. */
  public RevisionBatch batch() {
    RevisionBatch current = batch;
    if (current == null) {
      throw new IllegalStateException("the cursor stands on no revision");
    }
    return current;
  }

  /** The revision that comes next: where another cursor would have to start to go on. */
  public long position() {
    return position;
  }

  private List<Change> changes(long main, List<RevRow> rows) {
    List<byte @Nullable []> previous = previousRows(main, rows);
    List<Change> changes = new ArrayList<>(rows.size());
    int at = 0;
    for (RevRow row : rows) {
      KeyValue before = null;
      if (wantsPrevious(main, row)) {
        before = previousOf(row, previous.get(at++));
      }
      Version version = row.version();
      changes.add(new Change(version.tombstone(), version.toKeyValue(row.key()), before));
    }
    return changes;
  }

  private List<byte @Nullable []> previousRows(long main, List<RevRow> rows) {
    List<byte[]> keys = new ArrayList<>();
    for (RevRow row : rows) {
      if (wantsPrevious(main, row)) {
        keys.add(KeyLayout.histKey(row.key(), row.before()));
      }
    }
    if (keys.isEmpty()) {
      return List.of();
    }
    return reader.engine().multiGet(Family.HIST, keys, reader.options());
  }

  // A previous pair of the compact revision is below it, so it is gone, physically yet or not.
  private boolean wantsPrevious(long main, RevRow row) {
    return wish.previous() && row.showsPrevious() && main > reader.state().compactRevision();
  }

  private static KeyValue previousOf(RevRow row, byte @Nullable [] hist) {
    ByteString key = row.key();
    if (hist == null) {
      throw new StoreFault("no superseded version at revision " + row.before() + " of a key");
    }
    return Version.fromHist(row.before(), hist).toKeyValue(key);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      scan.close();
      snapshot.release();
    }
  }
}
