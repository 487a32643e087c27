package io.tidemark.server.concurrency;

import io.tidemark.server.access.Guard;
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
      Guard guard,
      LeaderLoss leaderLoss,
      Replica replica,
      Reads reads,
      ReadLanes lanes,
      Headers headers,
      LeaseGrants grants) {
    Steps steps = new Steps(new Steps.Access(guard, replica, reads, lanes, grants), null);
    this.lock = new LockService(guard.gate(), steps, headers);
    this.election = new ElectionService(guard.gate(), leaderLoss, steps, headers);
  }

  public void register(Methods methods) {
    lock.register(methods);
    election.register(methods);
  }
}
