package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;

/**
 * The versions that are older than the compact revision and visible at it, ascending by revision.
 * One thread.
 *
 * <p>They lie by key, so the revisions are cut into windows that fit the memory; each window costs
 * a scan of {@code live} and of {@code hist}. Values are fetched for a few rows at a time.
 */
final class SettledRecords implements AutoCloseable {
  private static final int FETCH_ROWS_MAX = 256;
  private static final long FETCH_BYTES = 2L * 1024 * 1024;
  private static final Comparator<StoredRecord> BY_REVISION =
      Comparator.comparingLong(StoredRecord::main).thenComparingInt(StoredRecord::sub);

  private final StoreReader reader;
  private final ReadOptions options;
  private final long end;
  private final long memoryBytes;
  private final ArrayDeque<StoredRecord> ready = new ArrayDeque<>();
  private List<RevisionWindow.Row> window = List.of();
  private int at;
  private long from;
  private long averageBytes = FETCH_BYTES;

  SettledRecords(StoreReader reader, long memoryBytes) {
    this.reader = reader;
    this.options = new ReadOptions().setFillCache(false);
    if (reader.snapshot() != null) {
      options.setSnapshot(reader.snapshot());
    }
    this.end = Math.max(0, reader.state().compactRevision());
    this.memoryBytes = memoryBytes;
  }

  @Nullable StoredRecord next() {
    while (ready.isEmpty()) {
      if (at < window.size()) {
        fetch();
      } else if (from < end) {
        nextWindow();
      } else {
        return null;
      }
    }
    return ready.poll();
  }

  private void nextWindow() {
    RevisionWindow next = new RevisionWindow(from, end, memoryBytes);
    byte[] first = {};
    try (Scan live = reader.engine().scan(Family.LIVE, reader.snapshot(), first, null, false)) {
      for (; live.valid(); live.next()) {
        long main = BigEndian.getLong(live.value(), 0);
        if (next.admits(main)) {
          next.add(main, live.key(), false);
        }
      }
    }
    Scan hist = reader.engine().scan(Family.HIST, reader.snapshot(), first, null, false);
    try (PastKeys past = new PastKeys(hist, end)) {
      while (past.next()) {
        long main = KeyLayout.histMain(past.histKey());
        if (next.admits(main)) {
          next.add(main, past.histKey(), true);
        }
      }
    }
    window = next.rows();
    at = 0;
    from = next.end();
  }

  /** Reads some rows, whole revisions of them, since only the rows know their place inside one. */
  private void fetch() {
    int wanted = (int) Math.max(1, Math.min(FETCH_ROWS_MAX, FETCH_BYTES / averageBytes));
    int stop = Math.min(window.size(), at + wanted);
    while (stop < window.size() && window.get(stop).main() == window.get(stop - 1).main()) {
      stop++;
    }
    List<RevisionWindow.Row> rows = window.subList(at, stop);
    List<StoredRecord> records = new ArrayList<>(rows.size());
    long bytes = read(rows, false, records) + read(rows, true, records);
    records.sort(BY_REVISION);
    ready.addAll(records);
    averageBytes = Math.max(64, bytes / rows.size());
    at = stop;
  }

  private long read(List<RevisionWindow.Row> rows, boolean superseded, List<StoredRecord> records) {
    List<byte[]> keys =
        rows.stream()
            .filter(row -> row.superseded() == superseded)
            .map(RevisionWindow.Row::key)
            .toList();
    if (keys.isEmpty()) {
      return 0;
    }
    Family family = superseded ? Family.HIST : Family.CUR;
    List<byte @Nullable []> found = reader.engine().multiGet(family, keys, options);
    long bytes = 0;
    for (int i = 0; i < keys.size(); i++) {
      byte[] row = found.get(i);
      if (row == null) {
        throw new StoreFault("a key of the index has no record");
      }
      bytes += row.length;
      records.add(superseded ? past(keys.get(i), row) : current(keys.get(i), row));
    }
    return bytes;
  }

  private static StoredRecord current(byte[] key, byte[] row) {
    return record(UnsafeByteOperations.unsafeWrap(key), Version.fromCur(row));
  }

  private static StoredRecord past(byte[] histKey, byte[] row) {
    return record(
        UnsafeByteOperations.unsafeWrap(KeyLayout.histUserKey(histKey)),
        Version.fromHist(KeyLayout.histMain(histKey), row));
  }

  private static StoredRecord record(ByteString key, Version version) {
    return new StoredRecord(version.mod(), version.sub(), false, version.toKeyValue(key));
  }

  @Override
  public void close() {
    options.close();
  }
}
