package io.tidemark.raftcore.lease;

/** The renewals may or may not be in the log; they can be asked for again freely. */
public final class NotRenewedException extends Exception {
  private static final long serialVersionUID = 1;

  public NotRenewedException() {
    super("not renewed by this attempt", null, false, false);
  }
}
