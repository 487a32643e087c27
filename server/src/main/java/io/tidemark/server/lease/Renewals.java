package io.tidemark.server.lease;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.lease.KeepAliveResult;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Replica;
import io.tidemark.server.access.Right;
import io.tidemark.statemachine.lease.LeaseReads;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Renewals for the client of one stream: only of leases whose keys he may write. Finding those keys
 * out needs the disk, so it runs on a read thread. Any thread.
 */
final class Renewals {
  private final Replica replica;
  private final Guard guard;
  private final ReadLanes lanes;
  private final Metadata credentials;
  private final Attributes attributes;

  Renewals(
      Replica replica, Guard guard, ReadLanes lanes, Metadata credentials, Attributes attributes) {
    this.replica = replica;
    this.guard = guard;
    this.lanes = lanes;
    this.credentials = credentials;
    this.attributes = attributes;
  }

  /** The newest revision of this member. */
  long revision() {
    return replica.revision();
  }

  /** Never completes exceptionally. */
  CompletableFuture<KeepAliveResult> renew(long id) {
    if (!guard.state().enabled()) {
      return replica.keepAlive(id);
    }
    CompletableFuture<Optional<EtcdError>> ready =
        guard.needsBarrier(credentials)
            ? guard.barrier()
            : CompletableFuture.completedFuture(Optional.empty());
    return ready.thenCompose(failure -> failure.isPresent() ? failed(failure.get()) : checked(id));
  }

  private CompletableFuture<KeepAliveResult> checked(long id) {
    try {
      return CompletableFuture.supplyAsync(() -> Optional.ofNullable(refusal(id)), lanes.quick())
          .thenCompose(
              refusal -> refusal.isPresent() ? failed(refusal.get()) : replica.keepAlive(id));
    } catch (RejectedExecutionException full) {
      return failed(EtcdError.TOO_MANY_REQUESTS);
    }
  }

  private @Nullable EtcdError refusal(long id) {
    Right right = permissions -> permissions.leaseChange(id);
    try (ReadView view = replica.view()) {
      return guard.admit(credentials, attributes, right, LeaseReads.attached(view)).refusal();
    }
  }

  private static CompletableFuture<KeepAliveResult> failed(EtcdError error) {
    return CompletableFuture.completedFuture(new KeepAliveResult.Failed(error));
  }
}
