package io.tidemark.mvcc;

/** The revision is below the compact revision, which is {@link #bound()}. */
public final class CompactedException extends RevisionException {
  private static final long serialVersionUID = 1L;

  public CompactedException(long asked, long compactRevision) {
    super(
        "revision " + asked + " is compacted, the oldest one kept is " + compactRevision,
        asked,
        compactRevision);
  }
}
