package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One log entry in the making. It carries any number of commands; what a command changed shares one
 * new revision. Reads see everything done in the entry so far.
 *
 * <p>Nothing is visible outside, or kept, before {@link #commit()}. Closing without a commit
 * discards the entry. Thread: apply.
 */
public final class EntryBatch implements AutoCloseable {
  private final MvccStore store;
  private final Engine engine;
  private final StoreState before;
  private final long term;
  private final long index;
  private final EntryOverlay keys;
  private final TableOverlay tables;
  private final List<EntryEvent> running = new ArrayList<>();
  private final List<EntryEvent> sealed = new ArrayList<>();
  private final List<RevisionBatch> batches = new ArrayList<>();
  private int commands;
  private boolean done;

  EntryBatch(MvccStore store, StoreReader base, long term, long index) {
    this.store = store;
    this.engine = base.engine();
    this.before = base.state();
    this.term = term;
    this.index = index;
    this.keys = new EntryOverlay(base);
    this.tables = new TableOverlay(base);
  }

  /** Reads the newest versions of {@code wanted} with one call, for what comes next. */
  public void prefetch(Collection<ByteString> wanted) {
    keys.prefetch(wanted);
  }

  /** The newest revision, the finished commands of this entry included. */
  public long revision() {
    return keys.revision();
  }

  /** The oldest readable revision, this entry's compactions included; -1 if never compacted. */
  public long compactRevision() {
    return keys.compactRevision();
  }

  /** The pair as it is now, the running command's own writes included; null if there is none. */
  public @Nullable KeyValue get(ByteString key) {
    Version newest = keys.chain(key).newest();
    return newest == null ? null : newest.toKeyValue(key);
  }

  /**
   * Answers a range query. A revision that is not positive sees the running command's own writes; a
   * positive one must be finished and not compacted.
   *
   * @throws RevisionException if it is neither
   */
  public RangePage range(RangeQuery query) {
    return RangeAssembly.answer(keys, query);
  }

  /** Visits pairs in ascending key order until the visitor says false; revisions as above. */
  public void forEach(KeyRange range, long revision, Predicate<KeyValue> visitor) {
    keys.visit(range, revision, visitor);
  }

  /** Writes a pair for the running command and returns the one it replaced, null if none. */
  public @Nullable KeyValue put(ByteString key, ByteString value, long lease) {
    requireOpen();
    KeyChain chain = keys.chain(key);
    Version old = chain.newest();
    long main = keys.revision() + 1;
    long create = old == null ? main : old.create();
    long version = old == null ? 1 : old.version() + 1;
    record(key, chain, new Version(main, running.size(), create, version, lease, value, false));
    return old == null ? null : old.toKeyValue(key);
  }

  /** Deletes what is in {@code range} for the running command; returns it in ascending order. */
  public List<KeyValue> deleteRange(KeyRange range) {
    requireOpen();
    List<KeyValue> found = new ArrayList<>();
    keys.visit(range, 0, found::add);
    long main = keys.revision() + 1;
    for (KeyValue old : found) {
      KeyChain chain = keys.chain(old.getKey());
      record(old.getKey(), chain, Version.deleted(main, running.size()));
    }
    return found;
  }

  /** Whether the running command has changed something. */
  public boolean changed() {
    return !running.isEmpty();
  }

  /** Ends the running command, which takes a revision if it changed something. */
  public long finishCommand() {
    requireOpen();
    commands++;
    if (!running.isEmpty()) {
      keys.nextRevision();
      batches.add(
          Changes.batch(keys.revision(), running.stream().map(EntryEvent::toChange).toList()));
      sealed.addAll(running);
      running.clear();
    }
    return keys.revision();
  }

  /**
   * Makes {@code revision} the oldest readable one, at once. What nobody can read any more is
   * removed in the background after the commit.
   */
  public void compact(long revision) {
    requireOpen();
    if (revision <= keys.compactRevision() || revision > keys.revision()) {
      throw new IllegalArgumentException(
          "can't compact at "
              + revision
              + " between "
              + keys.compactRevision()
              + " and "
              + keys.revision());
    }
    keys.compact(revision);
  }

  public @Nullable ByteString tableGet(Table table, ByteString key) {
    return tables.get(table, key);
  }

  public void tablePut(Table table, ByteString key, ByteString value) {
    requireOpen();
    tables.put(table, key, value);
  }

  public void tableDelete(Table table, ByteString key) {
    requireOpen();
    tables.delete(table, key);
  }

  /** Visits a table's rows in ascending key order. */
  public void tableScan(Table table, BiConsumer<ByteString, ByteString> visitor) {
    tableScan(table, ByteString.EMPTY, visitor);
  }

  /** Visits the rows whose key begins with {@code prefix}, ascending. */
  public void tableScan(
      Table table, ByteString prefix, BiConsumer<ByteString, ByteString> visitor) {
    tables.scan(table, prefix, visitor);
  }

  /**
   * Writes the entry with its position in one batch, makes it readable and returns what happened,
   * ascending. The entry is over then.
   */
  public List<RevisionBatch> commit() {
    requireOpen();
    if (changed()) {
      throw new IllegalStateException("the running command isn't finished");
    }
    EntryRows rows = new EntryRows(engine);
    rows.events(sealed);
    rows.newest(keys.changed());
    rows.counts(store.buckets(), keys.changed());
    tables.writeTo(rows);
    StoreState after =
        new StoreState(
            term,
            index,
            keys.revision(),
            keys.compactRevision(),
            before.writtenBytes() + rows.addedBytes());
    done = true;
    store.commit(this, after, rows.finish(after), commands);
    return List.copyOf(batches);
  }

  @Override
  public void close() {
    done = true;
    store.discard(this);
  }

  private void record(ByteString key, KeyChain chain, Version version) {
    Version old = chain.visibleAt(version.mod() - 1);
    boolean supersedes = old != null && !chain.changedIn(version.mod());
    running.add(new EntryEvent(key, version, old, supersedes));
    keys.add(key, chain, version);
  }

  private void requireOpen() {
    if (done) {
      throw new IllegalStateException("the entry is over");
    }
  }
}
