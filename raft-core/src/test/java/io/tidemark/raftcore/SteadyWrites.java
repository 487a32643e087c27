package io.tidemark.raftcore;

import com.google.protobuf.ByteString;
import io.tidemark.raftcore.propose.ProposalResult;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts through one member, so many at a time, each followed at once by the next, until stopped: the
 * member always has something to commit. A thread of its own submits.
 */
final class SteadyWrites implements AutoCloseable {
  private final AtomicLong applied = new AtomicLong();
  private final Semaphore places;
  private final int atATime;
  private final Thread submitter;
  private volatile boolean stopped;

  private SteadyWrites(TestCluster cluster, int member, int atATime, int valueBytes) {
    this.atATime = atATime;
    this.places = new Semaphore(atATime);
    ByteString value = ByteString.copyFrom(new byte[valueBytes]);
    this.submitter = new Thread(() -> submit(cluster, member, value), "test-steady-writes");
    submitter.setDaemon(true);
  }

  static SteadyWrites start(TestCluster cluster, int member, int atATime, int valueBytes) {
    SteadyWrites writes = new SteadyWrites(cluster, member, atATime, valueBytes);
    writes.submitter.start();
    return writes;
  }

  private void submit(TestCluster cluster, int member, ByteString value) {
    for (int n = 0; !stopped; n++) {
      places.acquireUninterruptibly();
      cluster
          .put(member, "steady" + n % 1_000, value)
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
