package io.tidemark.server.rpc;

import java.util.Locale;

/** What a unary call spends its time on, as the log of slow calls names it. */
public enum Stage {
  /** Rights, limits, the shape of the request, and whatever a call does that is no stage below. */
  HANDLING,
  /** Waiting for an entry, and the way of that entry to this member's apply: not told apart yet. */
  LOG,
  /** Waiting for an entry that takes the command along. */
  QUEUE,
  /** That entry's way: appended, on the disks of a majority, and known to be. */
  COMMIT,
  /** Applying the entry here. */
  APPLY,
  /** Finding out how fresh this member's data must be, and waiting until it is. */
  BARRIER,
  /** Waiting for a thread that reads. */
  THREAD,
  /** Reading. */
  READ,
  /** All that comes after. */
  REPLY;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
