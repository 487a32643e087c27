package io.tidemark.raftcore;

import com.google.protobuf.ByteString;
import io.tidemark.raftcore.propose.ProposalResult;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Puts through one member, so many at a time, each followed at once by the next, until stopped: the
 * member always has something to commit. A thread of its own submits. It submits slowly while the
 * newest checkpoint of some member is too long ago: how much is written while one is made would
 * depend on the machine otherwise, and with it the size of the log.
 */
final class SteadyWrites implements AutoCloseable {
  private static final long SLOW_NANOS = 10_000_000;

  private final AtomicLong applied = new AtomicLong();
  private final Semaphore places;
  private final int atATime;
  private final Thread submitter;
  private volatile boolean stopped;

  private SteadyWrites(
      TestCluster cluster, List<Integer> members, int atATime, int valueBytes, int ahead) {
    this.atATime = atATime;
    this.places = new Semaphore(atATime);
    ByteString value = ByteString.copyFrom(new byte[valueBytes]);
    this.submitter = new Thread(() -> submit(cluster, members, value, ahead), "test-steady-writes");
    submitter.setDaemon(true);
  }

  /**
   * Starts them.
   *
   * @param members those that run; the first takes the puts
   * @param ahead puts since a member's newest checkpoint from which on they come slowly
   */
  static SteadyWrites start(
      TestCluster cluster, List<Integer> members, int atATime, int valueBytes, int ahead) {
    SteadyWrites writes = new SteadyWrites(cluster, members, atATime, valueBytes, ahead);
    writes.submitter.start();
    return writes;
  }

  private void submit(TestCluster cluster, List<Integer> members, ByteString value, int ahead) {
    Map<Integer, Long> checkpoints = new HashMap<>();
    Map<Integer, Integer> since = new HashMap<>();
    for (int n = 0; !stopped; n++) {
      for (int member : members) {
        long made = cluster.count(member, "tidemark_snapshot_checkpoints");
        Long before = checkpoints.put(member, made);
        if (before == null || before != made) {
          since.put(member, n);
        }
      }
      if (n - Collections.min(since.values()) > ahead) {
        LockSupport.parkNanos(SLOW_NANOS);
      }
      places.acquireUninterruptibly();
      cluster
          .put(members.get(0), "steady" + n % 1_000, value)
          .thenAccept(
              result -> {
                if (result instanceof ProposalResult.Applied) {
                  applied.incrementAndGet();
                }
                places.release();
              });
    }
  }

  /** How many were applied so far. */
  long applied() {
    return applied.get();
  }

  /** Ends them and waits for the last ones. */
  void stop() throws InterruptedException {
    stopped = true;
    submitter.join();
    if (!places.tryAcquire(atATime, 30, TimeUnit.SECONDS)) {
      throw new AssertionError("some writes never ended");
    }
    places.release(atATime);
  }

  @Override
  public void close() {
    stopped = true;
  }
}
