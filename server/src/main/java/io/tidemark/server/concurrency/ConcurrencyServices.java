package io.tidemark.server.concurrency;

import io.tidemark.server.access.Gate;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.LeaderLoss;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Reads;
import io.tidemark.server.access.Replica;
import io.tidemark.server.lease.LeaseGrants;
import io.tidemark.server.rpc.Methods;

/** Builds the lock and the election service of a member. */
public final class ConcurrencyServices {
  private final LockService lock;
  private final ElectionService election;

  public ConcurrencyServices(
      Gate gate,
      LeaderLoss leaderLoss,
      Replica replica,
      Reads reads,
      ReadLanes lanes,
      Headers headers,
      LeaseGrants grants) {
    Steps steps = new Steps(replica, reads, lanes, grants);
    this.lock = new LockService(gate, steps, headers);
    this.election = new ElectionService(gate, leaderLoss, steps, headers);
  }

  public void register(Methods methods) {
    lock.register(methods);
    election.register(methods);
  }
}
