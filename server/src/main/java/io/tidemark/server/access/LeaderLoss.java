package io.tidemark.server.access;

import io.grpc.Metadata;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.server.rpc.RpcStatus;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends the streams of clients that want a leader ({@code hasleader}) when this member has known
 * none at three checks in a row, one election time-out apart. Owner of thread {@code
 * tidemark-<member>-leader-check}; any thread may call.
 */
public final class LeaderLoss implements AutoCloseable {
  private static final int MISSED_CHECKS_MAX = 3;

  private final Gate gate;
  private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor clock;

  /** Thread: clock. */
  private int missedChecks;

  public LeaderLoss(String member, Gate gate, Duration electionTimeout) {
    this.gate = gate;
    this.clock =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "tidemark-" + member + "-leader-check");
              thread.setDaemon(true);
              return thread;
            });
    long millis = electionTimeout.toMillis();
    var unused = clock.scheduleWithFixedDelay(this::check, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** A call that stays open. */
  public interface Stream {
    /** Ends it from this side. Any thread; does not block. */
    void terminate(Status status);
  }

  /** Notes a stream if its client wants a leader. */
  public void add(Stream stream, Metadata headers) {
    if (Gate.wantsLeader(headers)) {
      streams.add(stream);
    }
  }

  /** Forgets a stream that is over. */
  public void remove(Stream stream) {
    streams.remove(stream);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }

  private void check() {
    missedChecks = gate.hasLeader() ? 0 : missedChecks + 1;
    if (missedChecks >= MISSED_CHECKS_MAX) {
      Status noLeader = RpcStatus.of(EtcdError.NO_LEADER);
      streams.forEach(stream -> stream.terminate(noLeader));
    }
  }
}
