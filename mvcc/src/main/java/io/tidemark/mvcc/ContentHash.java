package io.tidemark.mvcc;

import java.util.zip.CRC32C;

/**
 * Hashes what is logically there at a revision: every version that the compact revision or a later
 * one can see, and everything that happened from the compact revision on.
 *
 * <p>Each row contributes a hash of its own and the contributions are added up, so the result
 * doesn't depend on where a row lies: a version counts the same as the newest one and as a
 * superseded one.
 */
final class ContentHash {
  private static final byte VERSION_ROW = 1;
  private static final byte REV_ROW = 2;

  private final StoreReader reader;
  private final long revision;
  private final CRC32C crc = new CRC32C();
  private final byte[] numbers = new byte[1 + Long.BYTES * 4 + Integer.BYTES * 2];
  private long sum;

  private ContentHash(StoreReader reader, long revision) {
    this.reader = reader;
    this.revision = revision;
  }

  static int of(StoreReader reader, long revision) {
    ContentHash hash = new ContentHash(reader, revision);
    hash.addNewest();
    hash.addSuperseded();
    hash.addHistory();
    long folded = mix(hash.sum);
    return (int) (folded ^ (folded >>> 32));
  }

  private void addNewest() {
    try (Scan scan = scan(Family.CUR, new byte[0])) {
      for (; scan.valid(); scan.next()) {
        Version version = Version.fromCur(scan.value());
        if (version.mod() <= revision) {
          add(VERSION_ROW, scan.key(), version);
        }
      }
    }
  }

  private void addSuperseded() {
    long oldest = reader.state().compactRevision();
    try (Scan scan = scan(Family.HIST, new byte[0])) {
      for (; scan.valid(); scan.next()) {
        byte[] key = scan.key();
        byte[] row = scan.value();
        long main = KeyLayout.histMain(key);
        if (main <= revision && Version.supersededAt(row) > oldest) {
          add(VERSION_ROW, KeyLayout.histUserKey(key), Version.fromHist(main, row));
        }
      }
    }
  }

  private void addHistory() {
    byte[] from = KeyLayout.revKey(Math.max(reader.state().compactRevision(), 0), 0);
    try (Scan scan = scan(Family.REV, from)) {
      for (; scan.valid(); scan.next()) {
        byte[] key = scan.key();
        if (KeyLayout.revMain(key) > revision) {
          return;
        }
        RevRow row = RevRow.decode(key, scan.value());
        add(REV_ROW, row.key().toByteArray(), row.version());
      }
    }
  }

  private Scan scan(Family family, byte[] from) {
    return reader.engine().scan(family, reader.snapshot(), from, null, false);
  }

  private void add(byte kind, byte[] key, Version version) {
    numbers[0] = (byte) (version.tombstone() ? kind | 0x80 : kind);
    BigEndian.putLong(numbers, 1, version.mod());
    BigEndian.putLong(numbers, 9, version.create());
    BigEndian.putLong(numbers, 17, version.version());
    BigEndian.putLong(numbers, 25, version.lease());
    BigEndian.putInt(numbers, 33, version.sub());
    BigEndian.putInt(numbers, 37, key.length);
    crc.reset();
    crc.update(numbers);
    crc.update(key);
    crc.update(version.value().asReadOnlyByteBuffer());
    sum += mix(crc.getValue() | (long) version.value().size() << 32);
  }

  /** Spreads every input bit over the whole result, so that sums of rows don't cancel out. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
