package io.tidemark.mvcc;

/** The revision is above the current one, which is {@link #bound()}. */
public final class FutureRevisionException extends RevisionException {
  private static final long serialVersionUID = 1L;

  public FutureRevisionException(long asked, long revision) {
    super(
        "revision " + asked + " is in the future, the newest one is " + revision, asked, revision);
  }
}
