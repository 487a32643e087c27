package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Walks one key's kept versions, newest first.
 *
 * <p>Rows of {@code hist} say when they were superseded; where no newer version begins there, the
 * key was deleted there.
 */
final class KeyVersions {
  private final StoreReader reader;
  private final ByteString key;
  private final Predicate<KeyVersion> visitor;

  /** Where what was shown last begins: versions shown from now on end there, or are deleted. */
  private long newer;

  private KeyVersions(
      StoreReader reader, ByteString key, long before, Predicate<KeyVersion> visitor) {
    this.reader = reader;
    this.key = key;
    this.newer = before;
    this.visitor = visitor;
  }

  /**
   * Visits those that were made below {@code before}, deletions included, until the visitor says
   * false. What nobody can read at the compact revision or later is left out.
   */
  static void visit(
      StoreReader reader, ByteString key, long before, Predicate<KeyVersion> visitor) {
    new KeyVersions(reader, key, before, visitor).walk();
  }

  private void walk() {
    byte[] row = reader.engine().get(Family.CUR, key.toByteArray(), reader.options());
    Version newest = row == null ? null : Version.fromCur(row);
    if (newest != null && newest.mod() < newer && !show(newest.mod(), newest)) {
      return;
    }
    byte[] from = KeyLayout.histKey(key, newer - 1);
    byte[] end = KeyLayout.afterHistKey(from);
    try (Scan scan = reader.engine().scan(Family.HIST, reader.snapshot(), from, end, true)) {
      while (scan.valid() && past(KeyLayout.histMain(scan.key()), scan.value())) {
        scan.next();
      }
    }
  }

  private boolean past(long main, byte[] row) {
    long superseded = Version.supersededAt(row);
    if (superseded <= reader.state().compactRevision()) {
      return false;
    }
    if (superseded < newer && !show(superseded, null)) {
      return false;
    }
    // One that was deleted in the revision that made it was never there.
    return main == superseded || show(main, Version.fromHist(main, row));
  }

  private boolean show(long revision, @Nullable Version version) {
    newer = revision;
    return visitor.test(new KeyVersion(revision, version == null ? null : version.toKeyValue(key)));
  }
}
