package io.tidemark.raftcore.read;

/** No index can be given: this member doesn't lead, or lost its leadership meanwhile. */
public final class NotLeadingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Without a stack trace: it is an answer, not a defect. */
  public NotLeadingException() {
    super("not the leader", null, false, false);
  }
}
