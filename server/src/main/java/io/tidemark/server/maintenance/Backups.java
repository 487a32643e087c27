package io.tidemark.server.maintenance;

import com.codahale.metrics.MetricRegistry;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.SnapshotRequest;
import io.tidemark.raftcore.metrics.Buckets;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.Replica;
import io.tidemark.server.access.Right;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * {@code Maintenance.Snapshot}: runs the backups that clients ask for, each on a thread of its own,
 * since one blocks on the disk and on its client for as long as it takes.
 *
 * <p>Bounds: two at a time; a further one is refused with "too many requests". Each has a pinned
 * view, a chunk, and memory for sorting. Any thread.
 */
public final class Backups implements AutoCloseable {
  private static final int RUNNING_MAX = 2;
  private static final Duration STOP = Duration.ofSeconds(2);
  private static final long MIB = 1 << 20;
  private static final long SORTING_BYTES_MAX = 64 * MIB;

  private final String member;
  private final Guard guard;
  private final Replica replica;
  private final String storageVersion;
  private final Buckets seconds = Buckets.exponential(0.01, 2, 17);

  @GuardedBy("this")
  private final Set<SnapshotCall> running = new HashSet<>();

  @GuardedBy("this")
  private boolean closed;

  /**
   * Backups of a member's store.
   *
   * @param registry gets a histogram of how long they take
   */
  public Backups(
      String member, Guard guard, Replica replica, String storageVersion, MetricRegistry registry) {
    registry.register("etcd_disk_backend_snapshot_duration_seconds", seconds);
    this.member = member;
    this.guard = guard;
    this.replica = replica;
    this.storageVersion = storageVersion;
  }

  public void register(Methods methods) {
    methods.add(
        MaintenanceGrpc.getSnapshotMethod(),
        SnapshotRequest.parser(),
        (request, reply) -> snapshot(reply));
  }

  private void snapshot(Reply reply) {
    EtcdError gated = guard.gate().refusal(reply.headers());
    if (gated != null) {
      reply.fail(gated);
      return;
    }
    guard.pass(reply, Right.ADMIN, caller -> answer(reply));
  }

  /** Answers with a backup of the newest applied state. Doesn't block. */
  private void answer(Reply reply) {
    SnapshotCall call = new SnapshotCall(reply, storageVersion);
    synchronized (this) {
      if (closed) {
        reply.fail(EtcdError.STOPPED);
        return;
      }
      if (running.size() >= RUNNING_MAX) {
        reply.fail(EtcdError.TOO_MANY_REQUESTS);
        return;
      }
      running.add(call);
    }
    Thread thread = new Thread(() -> run(call), "tidemark-" + member + "-backup");
    thread.setDaemon(true);
    thread.start();
  }

  private void run(SnapshotCall call) {
    long began = System.nanoTime();
    try {
      call.run(replica, Math.min(SORTING_BYTES_MAX, Runtime.getRuntime().maxMemory() / 16));
    } finally {
      seconds.observe((System.nanoTime() - began) / 1e9);
      synchronized (this) {
        running.remove(call);
        notifyAll();
      }
    }
  }

  /** Ends all calls and waits until they have let go of the store, two seconds at most. */
  @Override
  public synchronized void close() {
    closed = true;
    running.forEach(SnapshotCall::stop);
    long end = System.nanoTime() + STOP.toNanos();
    try {
      for (long left = STOP.toMillis(); !running.isEmpty() && left > 0; ) {
        wait(left);
        left = Duration.ofNanos(end - System.nanoTime()).toMillis();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
