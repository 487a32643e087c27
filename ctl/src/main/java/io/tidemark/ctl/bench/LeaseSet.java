package io.tidemark.ctl.bench;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseLeasesRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Leases with ids in a row from a random one on, and a key of a key space under each. Blocks.
 * Thread: the one that runs the load.
 */
final class LeaseSet {
  private static final Duration LIST_DEADLINE = Duration.ofSeconds(30);

  private final Connections connections;
  private final KeySpace keys;
  private final long firstId = ThreadLocalRandom.current().nextLong(1L << 20, 1L << 40) << 20;

  /** As many as the key space has keys. */
  LeaseSet(Connections connections, KeySpace keys) {
    this.connections = connections;
    this.keys = keys;
  }

  int size() {
    return keys.size();
  }

  long id(int number) {
    return firstId + number;
  }

  /**
   * Grants all of them.
   *
   * @param ttlSeconds asked when a lease is about to be granted
   */
  void grant(LongSupplier ttlSeconds) throws InterruptedException {
    Burst burst = new Burst(connections);
    for (int i = 0; i < size(); i++) {
      burst.call(
          RawMethods.LEASE_GRANT,
          LeaseGrantRequest.newBuilder().setID(id(i)).setTTL(ttlSeconds.getAsLong()).build());
    }
    burst.await();
  }

  /** Puts a key under each. */
  void attach() throws InterruptedException {
    Burst burst = new Burst(connections);
    SplittableRandom random = keys.random(-1);
    for (int i = 0; i < size(); i++) {
      ByteString value = keys.randomValue(random);
      burst.call(
          RawMethods.PUT,
          PutRequest.newBuilder().setKey(keys.key(i)).setValue(value).setLease(id(i)).build());
    }
    burst.await();
  }

  void revoke() throws InterruptedException {
    Burst burst = new Burst(connections);
    for (int i = 0; i < size(); i++) {
      burst.call(RawMethods.LEASE_REVOKE, LeaseRevokeRequest.newBuilder().setID(id(i)).build());
    }
    burst.await();
  }

  /** How many of them a member knows. */
  long alive() {
    return LeaseGrpc.newBlockingStub(connections.channel(0, 0))
        .withDeadlineAfter(LIST_DEADLINE)
        .leaseLeases(LeaseLeasesRequest.getDefaultInstance())
        .getLeasesList()
        .stream()
        .filter(lease -> lease.getID() >= firstId && lease.getID() < firstId + size())
        .count();
  }
}
