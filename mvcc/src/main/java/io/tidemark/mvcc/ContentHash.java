package io.tidemark.mvcc;

import java.util.zip.CRC32C;

/**
 * Hashes what is logically there at a revision: every version that the compact revision or a later
 * one can see, and everything that happened from the compact revision on.
 *
 * <p>Each row contributes a hash of its own and the contributions are added up, so the result
 * doesn't depend on where a row lies: a version counts the same as the newest one and as a
 * superseded one.
 *
 * <p>One thread at a time.
 */
final class ContentHash implements AutoCloseable {
  private static final byte VERSION_ROW = 1;
  private static final byte REV_ROW = 2;

  private enum Part {
    NEWEST,
    SUPERSEDED,
    HISTORY,
    DONE
  }

  private final StoreReader reader;
  private final long revision;
  private final CRC32C crc = new CRC32C();
  private final byte[] numbers = new byte[1 + Long.BYTES * 4 + Integer.BYTES * 2];
  private Part part = Part.NEWEST;
  private Scan scan;
  private long sum;

  ContentHash(StoreReader reader, long revision) {
    this.reader = reader;
    this.revision = revision;
    this.scan = scan(Family.CUR, new byte[0]);
  }

  /** The whole hash at once. */
  static int of(StoreReader reader, long revision) {
    try (ContentHash hash = new ContentHash(reader, revision)) {
      while (!hash.advance(Integer.MAX_VALUE)) {
        // goes on
      }
      return hash.value();
    }
  }

  /** Looks at so many rows at most; true when all have been looked at. */
  boolean advance(int rows) {
    for (int left = rows; left > 0 && part != Part.DONE; left--) {
      if (scan.valid() && visit()) {
        scan.next();
      } else {
        nextPart();
      }
    }
    return part == Part.DONE;
  }

  /** The hash, once {@link #advance} has come to the end. */
  int value() {
    if (part != Part.DONE) {
      throw new IllegalStateException("rows are left");
    }
    long folded = mix(sum);
    return (int) (folded ^ (folded >>> 32));
  }

  /** Adds the row that the scan stands on; false if no later one of this part counts. */
  private boolean visit() {
    return switch (part) {
      case NEWEST -> addNewest();
      case SUPERSEDED -> addSuperseded();
      case HISTORY -> addHistory();
      case DONE -> false;
    };
  }

  private void nextPart() {
    scan.close();
    switch (part) {
      case NEWEST -> {
        part = Part.SUPERSEDED;
        scan = scan(Family.HIST, new byte[0]);
      }
      case SUPERSEDED -> {
        part = Part.HISTORY;
        scan = scan(Family.REV, KeyLayout.revKey(Math.max(oldest(), 0), 0));
      }
      case HISTORY, DONE -> part = Part.DONE;
    }
  }

  private boolean addNewest() {
    Version version = Version.fromCur(scan.value());
    if (version.mod() <= revision) {
      add(VERSION_ROW, scan.key(), version);
    }
    return true;
  }

  private boolean addSuperseded() {
    byte[] key = scan.key();
    byte[] row = scan.value();
    long main = KeyLayout.histMain(key);
    if (main <= revision && Version.supersededAt(row) > oldest()) {
      add(VERSION_ROW, KeyLayout.histUserKey(key), Version.fromHist(main, row));
    }
    return true;
  }

  private boolean addHistory() {
    byte[] key = scan.key();
    if (KeyLayout.revMain(key) > revision) {
      return false;
    }
    RevRow row = RevRow.decode(key, scan.value());
    add(REV_ROW, row.key().toByteArray(), row.version());
    return true;
  }

  private long oldest() {
    return reader.state().compactRevision();
  }

  private Scan scan(Family family, byte[] from) {
    return reader.engine().scan(family, reader.snapshot(), from, null, false);
  }

  @Override
  public void close() {
    if (part != Part.DONE) {
      part = Part.DONE;
      scan.close();
    }
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
