package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;

/**
 * Fills a new store with the records of another one.
 *
 * <p>The records come as {@link RecordCursor} gives them, ascending; more of them than it gives is
 * fine: what the compact revision makes unreadable is left out. One thread. Blocks on the disk. The
 * store is complete and durable after {@link #finish}; without it the directory is of no use.
 */
public final class StoreLoad implements AutoCloseable {
  private static final int CHUNK_ROWS = 1_000;
  private static final long CHUNK_BYTES = 4L * 1024 * 1024;

  /** Hears which lease a key has, so that who keeps an index of that can write its rows. */
  @FunctionalInterface
  public interface LeaseListener {
    /** The key goes from one lease to another; 0 stands for none. */
    void moved(StoreLoad load, ByteString key, long from, long to);
  }

  private record TableRow(byte[] key, @Nullable ByteString value) {}

  private final Engine engine;
  private final CountBuckets buckets;
  private final LeaseListener leases;
  private final List<TableRow> tableRows = new ArrayList<>();
  private final ReadOptions options = new ReadOptions();
  private final List<StoredRecord> chunk = new ArrayList<>();
  private long chunkBytes;
  private StoreState state;
  private int lastSub = -1;
  private boolean closed;

  private StoreLoad(Engine engine, long compactRevision, LeaseListener leases) {
    this.engine = engine;
    this.buckets = new CountBuckets(engine);
    this.leases = leases;
    this.state = new StoreState(0, -1, 0, compactRevision, 0);
  }

  /**
   * A load into {@code directory}, which must be empty or absent.
   *
   * @param compactRevision oldest revision that will be readable; -1 for all
   * @param leases told on the loading thread while a record is added or the load is finished
   */
  public static StoreLoad into(
      Path directory, MvccLimits limits, long compactRevision, LeaseListener leases) {
    return into(directory, limits, compactRevision, leases, CountShape.DEFAULT);
  }

  /** For tests. */
  static StoreLoad into(
      Path directory,
      MvccLimits limits,
      long compactRevision,
      LeaseListener leases,
      CountShape shape) {
    Engine engine = Engine.open(directory, limits, shape);
    StoreFormat.check(engine, directory);
    return new StoreLoad(engine, compactRevision, leases);
  }

  /**
   * Adds a record.
   *
   * @throws IllegalArgumentException if it doesn't come after the one before
   */
  public void add(StoredRecord record) {
    long newest = chunk.isEmpty() ? state.revision() : chunk.get(chunk.size() - 1).main();
    boolean next = record.main() > newest || (record.main() == newest && record.sub() > lastSub);
    if (!next || record.main() <= 0 || record.sub() < 0) {
      throw new IllegalArgumentException(
          "record %d/%d comes after %d/%d".formatted(record.main(), record.sub(), newest, lastSub));
    }
    // Whole revisions only: a key may change twice in one.
    if (record.main() > newest && (chunk.size() >= CHUNK_ROWS || chunkBytes >= CHUNK_BYTES)) {
      writeChunk();
    }
    chunk.add(record);
    chunkBytes += record.pair().getKey().size() + record.pair().getValue().size();
    lastSub = record.sub();
  }

  /** Writes a row of a system table. */
  public void table(Table table, ByteString key, ByteString value) {
    tableRow(new TableRow(KeyLayout.tableKey(table, key), value));
  }

  /** Removes a row of a system table. */
  public void tableDelete(Table table, ByteString key) {
    tableRow(new TableRow(KeyLayout.tableKey(table, key), null));
  }

  private void tableRow(TableRow row) {
    tableRows.add(row);
    if (tableRows.size() >= CHUNK_ROWS) {
      EntryRows rows = new EntryRows(engine);
      writeTables(rows);
      engine.write(rows.finish(state));
    }
  }

  private void writeTables(EntryRows rows) {
    for (TableRow row : tableRows) {
      if (row.value() == null) {
        rows.tableDelete(row.key());
      } else {
        rows.table(row.key(), row.value());
      }
    }
    tableRows.clear();
  }

  /**
   * Completes the store and brings it to disk.
   *
   * @param revision the store's revision, at least that of every record
   * @param applied the position of the log that the store stands for
   */
  public void finish(long revision, AppliedPosition applied) {
    writeChunk();
    if (revision < state.revision() || revision < state.compactRevision()) {
      throw new IllegalArgumentException("revision " + revision + " is older than what is there");
    }
    state =
        new StoreState(
            applied.term(),
            applied.index(),
            revision,
            state.compactRevision(),
            state.writtenBytes());
    EntryRows rows = new EntryRows(engine);
    writeTables(rows);
    engine.write(rows.finish(state));
    engine.flush();
  }

  private void writeChunk() {
    if (chunk.isEmpty()) {
      return;
    }
    EntryOverlay keys = new EntryOverlay(new StoreReader(engine, null, options, state));
    keys.prefetch(chunk.stream().map(record -> record.pair().getKey()).toList());
    List<EntryEvent> events = new ArrayList<>(chunk.size());
    for (StoredRecord record : chunk) {
      apply(record, keys, events);
    }
    keys.changed().forEach(this::tellLease);
    EntryRows rows = new EntryRows(engine);
    rows.events(events);
    rows.newest(keys.changed());
    rows.counts(buckets, keys.changed());
    writeTables(rows);
    state =
        new StoreState(
            0,
            -1,
            chunk.get(chunk.size() - 1).main(),
            state.compactRevision(),
            state.writtenBytes() + rows.addedBytes());
    engine.write(rows.finish(state));
    chunk.clear();
    chunkBytes = 0;
  }

  private void tellLease(ByteString key, KeyChain chain) {
    long from = lease(chain.base());
    long to = lease(chain.newest());
    if (from != to) {
      leases.moved(this, key, from, to);
    }
  }

  private static long lease(@Nullable Version version) {
    return version == null ? 0 : version.lease();
  }

  private void apply(StoredRecord record, EntryOverlay keys, List<EntryEvent> events) {
    ByteString key = record.pair().getKey();
    KeyChain chain = keys.chain(key);
    Version version = version(record);
    long compacted = state.compactRevision();
    if (version.mod() >= compacted) {
      // What the compact revision itself replaced, nobody can read.
      Version old = version.mod() > compacted ? chain.visibleAt(version.mod() - 1) : null;
      boolean supersedes = old != null && !chain.changedIn(version.mod());
      events.add(new EntryEvent(key, version, old, supersedes));
    }
    keys.add(key, chain, version);
  }

  private static Version version(StoredRecord record) {
    KeyValue pair = record.pair();
    return record.tombstone()
        ? Version.deleted(record.main(), record.sub())
        : new Version(
            record.main(),
            record.sub(),
            pair.getCreateRevision(),
            pair.getVersion(),
            pair.getLease(),
            pair.getValue(),
            false);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      options.close();
      engine.release();
    }
  }
}
