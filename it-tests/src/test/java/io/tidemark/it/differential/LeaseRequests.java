package io.tidemark.it.differential;

import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import io.tidemark.api.etcdserverpb.LeaseLeasesRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveRequest;

/**
 * Random requests about leases. They live longer than a run, and no two about as long, so that
 * their order by what is left of them doesn't depend on the speed of a cluster.
 */
final class LeaseRequests {
  private static final long TTL_MAX = 9_000_000_000L;

  private final World world;

  LeaseRequests(World world) {
    this.world = world;
  }

  Ask any() {
    return switch (world.below(10)) {
      case 0, 1, 2 -> new Ask(Call.LEASE_GRANT, grant(world.lease()));
      case 3, 4 ->
          new Ask(
              Call.LEASE_REVOKE, LeaseRevokeRequest.newBuilder().setID(world.anyLease()).build());
      case 5, 6 ->
          new Ask(
              Call.LEASE_KEEP_ALIVE,
              LeaseKeepAliveRequest.newBuilder().setID(world.anyLease()).build());
      case 7, 8 ->
          new Ask(
              Call.LEASE_TIME_TO_LIVE,
              LeaseTimeToLiveRequest.newBuilder()
                  .setID(world.anyLease())
                  .setKeys(world.percent(60))
                  .build());
      default -> new Ask(Call.LEASE_LEASES, LeaseLeasesRequest.getDefaultInstance());
    };
  }

  private LeaseGrantRequest grant(long id) {
    long base = id < 0 ? 20_000 : id == Long.MAX_VALUE ? TTL_MAX - 100 : 10_000;
    long ttl = base + world.below(100);
    return LeaseGrantRequest.newBuilder()
        .setID(id)
        .setTTL(world.percent(10) ? TTL_MAX + 1 + world.below(3) : ttl)
        .build();
  }
}
