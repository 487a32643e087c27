package io.tidemark.raftcore.lease;

import java.util.concurrent.CompletableFuture;

/** Who renews leases: this member's keeper, or the leader's over the peer port. */
@FunctionalInterface
public interface RenewalSource {
  /**
   * Asks once. Gives the granted TTL of each lease, 0 for none; exceptional when nobody could tell,
   * and then it may be asked again freely.
   */
  CompletableFuture<long[]> renew(long[] ids);
}
