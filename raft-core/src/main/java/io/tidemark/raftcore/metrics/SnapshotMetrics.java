package io.tidemark.raftcore.metrics;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Meter;
import com.codahale.metrics.MetricRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * What a member's snapshots and log cost, in its registry. Meters show up with {@code _total} after
 * their names. Thread-safe.
 */
public final class SnapshotMetrics {
  private final MetricRegistry registry;
  private final Meter checkpoints;
  private final Meter failures;
  private final Meter installs;
  private final AtomicInteger installing = new AtomicInteger();
  private final Buckets seconds = Buckets.exponential(0.001, 2, 14);

  /** Metrics of one member. */
  public SnapshotMetrics(MetricRegistry registry) {
    this.registry = registry;
    this.checkpoints = registry.meter("tidemark_snapshot_checkpoints");
    this.failures = registry.meter("tidemark_snapshot_checkpoint_failures");
    this.installs = registry.meter("tidemark_snapshot_installs");
    registry.register("etcd_debugging_snap_save_total_duration_seconds", seconds);
    gauge("etcd_server_snapshot_apply_in_progress_total", installing::get);
  }

  /** Adds what the log says of itself; each is asked for whenever somebody looks. */
  public void watchLog(Log log) {
    gauge("tidemark_raft_log_bytes", log::bytes);
    gauge("tidemark_raft_log_start_index", log::startIndex);
    gauge("tidemark_raft_replayed_entries", log::replayed);
    gauge("tidemark_snapshot_index", log::snapshotIndex);
  }

  /** A checkpoint was published as the latest snapshot, so long after it was begun. */
  public void published(Duration took) {
    checkpoints.mark();
    seconds.observe(took.toNanos() / 1e9);
  }

  /** A checkpoint failed. */
  public void failed() {
    failures.mark();
  }

  /** A received snapshot begins to replace the store of the running member. */
  public void installing() {
    installing.incrementAndGet();
  }

  /** It has. */
  public void installed() {
    installing.decrementAndGet();
    installs.mark();
  }

  private void gauge(String name, LongSupplier value) {
    Gauge<Long> gauge = value::getAsLong;
    registry.gauge(name, () -> gauge);
  }

  /** The log of a member. Any thread. */
  public interface Log {
    /** Bytes that its files take on disk. */
    long bytes();

    /** The oldest index in it. */
    long startIndex();

    /** How many of its entries were applied again at the start. */
    long replayed();

    /** Index of the latest snapshot; -1 = none. */
    long snapshotIndex();
  }
}
