package io.tidemark.raftcore.lease;

import io.tidemark.statemachine.lease.LeaseChanges;
import java.util.concurrent.atomic.LongAdder;

/** Counts what this member has applied. Thread-safe. */
public final class LeaseCounters {
  private final LongAdder granted = new LongAdder();
  private final LongAdder revoked = new LongAdder();
  private final LongAdder expired = new LongAdder();

  /** Thread: apply. */
  public void count(LeaseChanges changes) {
    granted.add(changes.granted().size());
    revoked.add(changes.revoked());
    expired.add(changes.expired());
  }

  /** Leases granted since the member started. */
  public long granted() {
    return granted.sum();
  }

  /** Leases revoked since then, expired ones included. */
  public long revoked() {
    return revoked.sum();
  }

  /** Leases that expired since then. */
  public long expired() {
    return expired.sum();
  }
}
