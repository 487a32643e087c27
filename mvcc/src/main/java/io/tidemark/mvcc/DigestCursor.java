package io.tidemark.mvcc;

/**
 * Makes a {@link StoreDigest} piece by piece, from a snapshot, so that hashing a large store needs
 * not hold a thread or the disk for long.
 *
 * <p>One thread at a time. Blocks on the disk. Pins what it shows until it is closed.
 */
public final class DigestCursor implements AutoCloseable {
  private final SharedSnapshot snapshot;
  private final StoreReader reader;
  private final long revision;
  private final ContentHash hash;
  private boolean closed;

  private DigestCursor(SharedSnapshot snapshot, StoreReader reader, long revision) {
    this.snapshot = snapshot;
    this.reader = reader;
    this.revision = revision;
    this.hash = new ContentHash(reader, revision);
  }

  /** The caller must be a user of {@code snapshot}. */
  static DigestCursor open(SharedSnapshot snapshot, StoreReader reader, long revision) {
    if (!snapshot.retain()) {
      throw new IllegalStateException("the view is closed");
    }
    return new DigestCursor(snapshot, reader, revision);
  }

  /** Looks at so many rows at most; true when all have been looked at. */
  public boolean advance(int rows) {
    if (closed) {
      throw new IllegalStateException("the cursor is closed");
    }
    return hash.advance(rows);
  }

  /** The digest, once {@link #advance} has said true. */
  public StoreDigest digest() {
    return new StoreDigest(
        revision, reader.state().compactRevision(), reader.state().applied().index(), hash.value());
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      hash.close();
      snapshot.release();
    }
  }
}
