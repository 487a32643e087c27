package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable view of the store: its revision, compact revision and applied position belong
 * together with everything that is read through it, whatever is written meanwhile.
 *
 * <p>Any one thread at a time. Reads may block on the disk. Revision arguments that are not
 * positive mean this view's own revision. A view pins what it shows, so it must be closed soon; it
 * may outlive the store, whose files stay open until then.
 *
 * <p>Reads throw {@link RevisionException} for a revision outside {@code [compactRevision,
 * revision]} and {@link StoreFault} when the storage engine fails.
 */
public final class ReadView implements AutoCloseable {
  private final SharedSnapshot snapshot;
  private final StoreReader reader;
  private boolean closed;

  /** Takes over one use of {@code snapshot}. */
  ReadView(SharedSnapshot snapshot) {
    this.snapshot = snapshot;
    this.reader = snapshot.reader();
  }

  /** Newest revision in this view; 1 for an empty store. */
  public long revision() {
    return reader.state().revision();
  }

  /** Oldest readable revision; -1 when the store was never compacted. */
  public long compactRevision() {
    return reader.state().compactRevision();
  }

  public AppliedPosition applied() {
    return reader.state().applied();
  }

  public RangePage range(RangeQuery query) {
    return RangeAssembly.answer(open(), query);
  }

  /** The pair at {@code revision}; null if the key didn't exist then. */
  public @Nullable KeyValue get(ByteString key, long revision) {
    StoreReader open = open();
    Version found = open.find(key, open.resolve(revision));
    return found == null ? null : found.toKeyValue(key);
  }

  /** Visits the pairs at {@code revision} in ascending key order until the visitor says false. */
  public void forEach(KeyRange range, long revision, Predicate<KeyValue> visitor) {
    open().visit(range, revision, visitor);
  }

  /**
   * Visits the versions of a key that were made below {@code before} and can still be read, and the
   * deletions between them, newest first, until the visitor says false. A {@code before} that is
   * not positive means all.
   */
  public void forEachVersion(ByteString key, long before, Predicate<KeyVersion> visitor) {
    long bound = before <= 0 ? revision() + 1 : Math.min(before, revision() + 1);
    KeyVersions.visit(open(), key, bound, visitor);
  }

  /** Number of keys that existed at {@code revision}. */
  public long count(KeyRange range, long revision) {
    StoreReader open = open();
    return open.count(range, open.resolve(revision));
  }

  /**
   * What happened from {@code fromRevision} on up to this view's revision. The cursor keeps what it
   * needs: this view may be closed before it.
   *
   * @param withPrevious whether changes carry the previous pairs, which costs a read each
   * @throws CompactedException if {@code fromRevision} is below the compact revision
   */
  public HistoryCursor history(long fromRevision, boolean withPrevious) {
    return history(fromRevision, withPrevious, key -> true);
  }

  /**
   * As above, with the changes of wanted keys only; revisions without any are passed over. Cheaper
   * than sorting them out afterwards: nothing else is read or built for the others.
   */
  public HistoryCursor history(
      long fromRevision, boolean withPrevious, Predicate<ByteString> wantedKeys) {
    StoreReader open = open();
    if (fromRevision < compactRevision()) {
      throw new CompactedException(fromRevision, compactRevision());
    }
    HistoryCursor.Wish wish = new HistoryCursor.Wish(withPrevious, wantedKeys);
    return HistoryCursor.open(snapshot, open, Math.max(fromRevision, 0), wish);
  }

  /**
   * All that a compacted store has to keep, ascending by revision: what a backup is made of. The
   * cursor keeps what it needs: this view may be closed before it.
   *
   * @param memoryBytes about what the cursor may use for sorting
   */
  public RecordCursor records(long memoryBytes) {
    return RecordCursor.open(snapshot, open(), memoryBytes);
  }

  public @Nullable ByteString tableGet(Table table, ByteString key) {
    return open().tableGet(table, key);
  }

  /** Visits a table's rows in ascending key order. */
  public void tableScan(Table table, BiConsumer<ByteString, ByteString> visitor) {
    tableScan(table, ByteString.EMPTY, visitor);
  }

  /** Visits the rows whose key begins with {@code prefix}, ascending. */
  public void tableScan(
      Table table, ByteString prefix, BiConsumer<ByteString, ByteString> visitor) {
    open().tableScan(table, prefix, visitor);
  }

  /** Hashes what is logically there at {@code revision}. Reads the whole store. */
  public StoreDigest digest(long revision) {
    StoreReader open = open();
    long resolved = open.resolve(revision);
    int hash = ContentHash.of(open, resolved);
    return new StoreDigest(resolved, compactRevision(), applied().index(), hash);
  }

  /**
   * As {@link #digest}, piece by piece. The cursor keeps what it needs: this view may be closed
   * before it.
   *
   * @throws RevisionException for a revision outside the bounds
   */
  public DigestCursor digestCursor(long revision) {
    StoreReader open = open();
    return DigestCursor.open(snapshot, open, open.resolve(revision));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      snapshot.release();
    }
  }

  /** For tests. */
  SharedSnapshot snapshot() {
    return snapshot;
  }

  private StoreReader open() {
    if (closed) {
      throw new IllegalStateException("the view is closed");
    }
    return reader;
  }
}
