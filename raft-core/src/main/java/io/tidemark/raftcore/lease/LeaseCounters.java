package io.tidemark.raftcore.lease;

import com.codahale.metrics.MetricRegistry;
import io.tidemark.raftcore.metrics.Buckets;
import io.tidemark.statemachine.lease.Lease;
import io.tidemark.statemachine.lease.LeaseChanges;
import io.tidemark.statemachine.lease.LeaseTable;
import java.util.concurrent.atomic.LongAdder;

/** Counts what this member has applied, and what it has renewed as a leader. Thread-safe. */
public final class LeaseCounters {
  private final LongAdder granted = new LongAdder();
  private final LongAdder revoked = new LongAdder();
  private final LongAdder expired = new LongAdder();
  private final LongAdder renewed = new LongAdder();
  private final Buckets ttls = Buckets.exponential(1, 2, 24);

  /** Counters whose times to live, in seconds, are a histogram of that registry. */
  public LeaseCounters(MetricRegistry registry) {
    registry.register("etcd_debugging_lease_ttl_total", ttls);
  }

  /**
   * Counts an entry. Thread: apply.
   *
   * @param leases as they are after it
   */
  public void count(LeaseChanges changes, LeaseTable leases) {
    granted.add(changes.granted().size());
    revoked.add(changes.revoked());
    expired.add(changes.expired());
    for (long id : changes.granted()) {
      Lease lease = leases.find(id);
      if (lease != null) {
        ttls.observe(lease.ttlSeconds());
      }
    }
  }

  /** This member, as the leader, has answered so many renewals of leases that live. */
  void countRenewed(int leases) {
    renewed.add(leases);
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

  /** Renewals since then, while this member led. */
  public long renewed() {
    return renewed.sum();
  }
}
