package io.tidemark.mvcc;

import com.google.protobuf.ByteString;

/**
 * Makes a store of format 1, which had no counts, one of format 2. Reads all keys and the history
 * once. The mark of the new format is written last, so that an interrupted upgrade begins anew.
 */
final class FormatUpgrade {
  private static final int WRITE_BYTES = 1024 * 1024;

  private final Engine engine;
  private final CountShape shape;
  private RawBatch batch = new RawBatch(WRITE_BYTES);
  private int spanBuckets;
  private long bucketKeys;
  private long groupKeys;
  private byte[] bucketStart = {};
  private byte[] groupStart = {};

  private FormatUpgrade(Engine engine) {
    this.engine = engine;
    this.shape = engine.shape();
  }

  /** The caller then writes the mark. */
  static void addCounts(Engine engine) {
    FormatUpgrade upgrade = new FormatUpgrade(engine);
    upgrade.batch.deleteRange(
        engine.familyId(Family.COUNT), new byte[] {0}, new byte[] {(byte) 0xff});
    upgrade.countKeys();
    upgrade.addHistory();
    engine.write(upgrade.batch.toBytes());
  }

  private void countKeys() {
    int half = CountShape.half(shape.bucketKeys());
    try (Scan live = engine.scan(Family.LIVE, null, new byte[0], null, false)) {
      for (; live.valid(); live.next()) {
        if (bucketKeys == half) {
          endBucket();
          bucketStart = live.key();
        }
        bucketKeys++;
      }
    }
    if (bucketKeys > 0) {
      endBucket();
      endGroup();
    }
  }

  private void endBucket() {
    if (spanBuckets == CountShape.half(shape.groupBuckets())) {
      endGroup();
      groupStart = bucketStart;
    }
    put(CountLayout.BUCKET, new CountSpan(wrap(bucketStart), null, bucketKeys, 0));
    spanBuckets++;
    groupKeys += bucketKeys;
    bucketKeys = 0;
  }

  private void endGroup() {
    put(CountLayout.GROUP, new CountSpan(wrap(groupStart), null, groupKeys, spanBuckets));
    spanBuckets = 0;
    groupKeys = 0;
  }

  private void put(byte code, CountSpan span) {
    add(CountLayout.spanKey(code, span.start), span.encode(code));
  }

  private void addHistory() {
    RevisionNets nets = new RevisionNets(this::add);
    try (Scan scan = engine.scan(Family.REV, null, new byte[0], null, false)) {
      for (; scan.valid(); scan.next()) {
        RevRow row = RevRow.decode(scan.key(), scan.value());
        Version version = row.version();
        nets.change(version.mod(), row.key(), row.before() != 0, !version.tombstone());
      }
    }
    nets.finish();
  }

  private void add(byte[] key, byte[] value) {
    batch.put(engine.familyId(Family.COUNT), key, value);
    if (batch.size() > WRITE_BYTES) {
      engine.write(batch.toBytes());
      batch = new RawBatch(WRITE_BYTES);
    }
  }

  private static ByteString wrap(byte[] start) {
    return ByteString.copyFrom(start);
  }
}
