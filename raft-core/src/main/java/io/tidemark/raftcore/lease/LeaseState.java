package io.tidemark.raftcore.lease;

import io.tidemark.statemachine.lease.LeaseTable;

/** What the log has made of the leases so far. Any thread. */
public interface LeaseState {
  /** The present table; it is another one after a snapshot was brought in. */
  LeaseTable leases();

  /**
   * Whether applying refuses to end leases at present, as it does under a CORRUPT alarm: proposing
   * it would be vain, for every lease and again and again.
   */
  boolean frozen();
}
