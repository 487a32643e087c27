package io.tidemark.mvcc;

/**
 * A hash of the logical content at {@code revision}: equal on all members at equal {@code revision}
 * and {@code compactRevision}, however their files look.
 *
 * @param compactRevision -1 when the store was never compacted
 * @param appliedIndex log index of the view that was hashed; not part of the hash
 */
public record StoreDigest(long revision, long compactRevision, long appliedIndex, int hash) {
  /** Changes whenever the same content would give another hash: such hashes aren't compared. */
  public static final long VERSION = 1;
}
