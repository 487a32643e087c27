package io.tidemark.ctl;

import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A lease of this process: renewed in the background, and revoked with its keys when the command
 * ends or the process is told to.
 */
final class OwnLease implements AutoCloseable {
  private final Connection connection;
  private final long id;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread renewing;
  private final Thread atExit;

  private OwnLease(Connection connection, long id, long ttlSeconds) {
    this.connection = connection;
    this.id = id;
    this.renewing = new Thread(() -> renew(ttlSeconds), "lease");
    this.atExit = new Thread(this::revoke, "revoke");
    renewing.setDaemon(true);
  }

  static OwnLease grant(Connection connection, long ttlSeconds) {
    long id =
        connection
            .limited(LeaseGrpc.newBlockingStub(connection.channel()))
            .leaseGrant(LeaseGrantRequest.newBuilder().setTTL(ttlSeconds).build())
            .getID();
    OwnLease lease = new OwnLease(connection, id, ttlSeconds);
    Runtime.getRuntime().addShutdownHook(lease.atExit);
    lease.renewing.start();
    return lease;
  }

  long id() {
    return id;
  }

  /** Waits until the lease is lost. */
  void awaitLoss() throws InterruptedException {
    ended.await();
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    revoke();
  }

  private void renew(long ttlSeconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ttlSeconds);
    while (System.nanoTime() - deadline < 0) {
      try {
        if (ended.await(ttlSeconds * 1000 / 3, TimeUnit.MILLISECONDS)) {
          return;
        }
        long sent = System.nanoTime();
        long left = Renewal.once(connection, id).getTTL();
        deadline = sent + TimeUnit.SECONDS.toNanos(left);
      } catch (StatusRuntimeException tryAgain) {
        continue;
      } catch (InterruptedException e) {
        return;
      }
    }
    ended.countDown();
  }

  private void revoke() {
    ended.countDown();
    try {
      var unused =
          connection
              .limited(LeaseGrpc.newBlockingStub(connection.channel()))
              .leaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build());
    } catch (StatusRuntimeException goneOrGoing) {
      // It ends by itself when nobody renews it.
    }
  }
}
