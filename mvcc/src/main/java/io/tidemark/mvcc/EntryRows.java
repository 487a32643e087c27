package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** Turns what an entry did into rows of one write batch, and accounts for their size. */
final class EntryRows {
  private static final int FIRST_CAPACITY = 4096;

  private final Engine engine;
  private final RawBatch batch = new RawBatch(FIRST_CAPACITY);
  private final int cur;
  private final int hist;
  private final int rev;
  private final int live;
  private final int count;
  private long addedBytes;

  EntryRows(Engine engine) {
    this.engine = engine;
    this.cur = engine.familyId(Family.CUR);
    this.hist = engine.familyId(Family.HIST);
    this.rev = engine.familyId(Family.REV);
    this.live = engine.familyId(Family.LIVE);
    this.count = engine.familyId(Family.COUNT);
  }

  /**
   * Rows added less rows removed so far, in bytes of keys and values. The value of a row of {@code
   * rev} doesn't count: it stands in {@code cur} or {@code hist} too, and a quota is about data.
   */
  long addedBytes() {
    return addedBytes;
  }

  void events(List<EntryEvent> events) {
    RevisionNets nets = new RevisionNets((key, value) -> batch.put(count, key, value));
    for (EntryEvent event : events) {
      Version version = event.version();
      nets.change(version.mod(), event.key(), event.before() != null, !version.tombstone());
      Version before = event.before();
      if (before != null && event.supersedes()) {
        superseded(event.key(), before, event.version().mod());
      }
      happened(event);
    }
    nets.finish();
  }

  void newest(Map<ByteString, KeyChain> changed) {
    for (Map.Entry<ByteString, KeyChain> entry : changed.entrySet()) {
      ByteString key = entry.getKey();
      Version base = entry.getValue().base();
      Version newest = entry.getValue().newest();
      if (base != null) {
        addedBytes -= newestBytes(key, base);
      }
      if (newest != null) {
        addedBytes += newestBytes(key, newest);
        present(key, newest);
      } else if (base != null) {
        batch.delete(cur, key);
        batch.delete(live, key);
      }
    }
  }

  /** The numbers of keys after the entry. */
  void counts(CountBuckets buckets, NavigableMap<ByteString, KeyChain> changed) {
    buckets.count(changed, batch);
  }

  void table(byte[] tableKey, ByteString value) {
    batch.beginPut(engine.familyId(Family.SYS), tableKey, value.size());
    batch.append(value);
  }

  void tableDelete(byte[] tableKey) {
    batch.delete(engine.familyId(Family.SYS), tableKey);
  }

  /** Completes the batch with the state that belongs to it and returns its bytes. */
  byte[] finish(StoreState state) {
    batch.put(engine.familyId(Family.META), StoreState.key(), state.encode());
    return batch.toBytes();
  }

  private void present(ByteString key, Version newest) {
    batch.beginPut(cur, key, newest.curRowBytes());
    batch.append(newest.mod());
    batch.append(newest.sub());
    batch.append(newest.create());
    batch.append(newest.version());
    batch.append(newest.lease());
    batch.append(newest.value());
    batch.beginPut(live, key, Version.LIVE_BYTES);
    batch.append(newest.mod());
  }

  private void superseded(ByteString key, Version before, long at) {
    batch.beginPut(
        hist,
        KeyLayout.histKey(key, before.mod()),
        Version.HIST_HEADER_BYTES + before.value().size());
    batch.append(before.sub());
    batch.append(before.create());
    batch.append(before.version());
    batch.append(before.lease());
    batch.append(at);
    batch.append(before.value());
    addedBytes += before.histRowBytes(key);
  }

  private void happened(EntryEvent event) {
    Version version = event.version();
    Version before = event.before();
    int flags =
        (version.tombstone() ? RevRow.TOMBSTONE : 0) | (event.supersedes() ? RevRow.SUPERSEDES : 0);
    int bytes = RevRow.HEADER_BYTES + event.key().size() + version.value().size();
    batch.beginPut(rev, KeyLayout.revKey(version.mod(), version.sub()), bytes);
    batch.append((byte) flags);
    batch.append(version.create());
    batch.append(version.version());
    batch.append(version.lease());
    batch.append(before == null ? 0L : before.mod());
    batch.append(before == null ? 0 : before.histRowBytes(event.key()));
    batch.append(event.key().size());
    batch.append(event.key());
    batch.append(version.value());
    addedBytes += RevRow.accountedBytes(event.key().size());
  }

  private static long newestBytes(ByteString key, Version version) {
    return 2L * key.size() + version.curRowBytes() + Version.LIVE_BYTES;
  }
}
