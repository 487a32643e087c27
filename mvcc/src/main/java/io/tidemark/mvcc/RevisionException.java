package io.tidemark.mvcc;

/** A read asked for a revision that can't be read. Carries no stack trace: it is an answer. */
public abstract sealed class RevisionException extends RuntimeException
    permits CompactedException, FutureRevisionException {
  private static final long serialVersionUID = 1L;

  private final long asked;
  private final long bound;

  RevisionException(String message, long asked, long bound) {
    super(message, null, false, false);
    this.asked = asked;
    this.bound = bound;
  }

  /** The revision that was asked for. */
  public long asked() {
    return asked;
  }

  /** The nearest revision that could have been read. */
  public long bound() {
    return bound;
  }
}
