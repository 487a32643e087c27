package io.tidemark.raftcore.metrics;

import com.codahale.metrics.MetricRegistry;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the stages of writes cost on one member. One value an entry, not one a command: entries
 * carry whatever waits, and are what is appended, replicated and applied. Thread-safe.
 */
public final class WriteMetrics {
  private static final double NANOS = 1e9;

  private final Buckets queue = seconds();
  private final Buckets commit = seconds();
  private final Buckets apply = seconds();

  /** The same with etcd's bounds, under the name that its alert for slow disks reads. */
  private final Buckets stored = Buckets.exponential(0.001, 2, 14);

  private final Buckets reply = seconds();
  private final Buckets commands = Buckets.exponential(1, 2, 14);
  private final LongAdder failed = new LongAdder();
  private final LongAdder slowApplies = new LongAdder();

  /** Metrics of one member, in its registry. */
  public WriteMetrics(MetricRegistry registry) {
    registry.register("tidemark_write_queue_seconds", queue);
    registry.register("tidemark_write_commit_seconds", commit);
    registry.register("tidemark_write_apply_seconds", apply);
    registry.register("etcd_disk_backend_commit_duration_seconds", stored);
    registry.register("tidemark_write_reply_seconds", reply);
    registry.register("tidemark_write_entry_commands", commands);
  }

  /** From 100 microseconds to 52 seconds, as etcd's histogram of applying. */
  private static Buckets seconds() {
    return Buckets.exponential(0.0001, 2, 20);
  }

  /**
   * An entry was handed to a leader for the first time.
   *
   * @param commandCount commands in it
   * @param waitedNanos how long its oldest command had waited
   */
  public void sent(int commandCount, long waitedNanos) {
    commands.observe(commandCount);
    queue.observe(waitedNanos / NANOS);
  }

  /** An entry of this member's own got from the leader back to this member's apply. */
  public void committed(long nanos) {
    commit.observe(nanos / NANOS);
  }

  /** An entry of anybody was applied. */
  public void applied(long nanos) {
    apply.observe(nanos / NANOS);
    stored.observe(nanos / NANOS);
  }

  /** The callers of an entry have been told, so long after it was applied. */
  public void replied(long nanos) {
    reply.observe(nanos / NANOS);
  }

  /** A command ended without being applied here. */
  public void commandFailed() {
    failed.increment();
  }

  /** Applying an entry took longer than is wanted. */
  public void applyWasSlow() {
    slowApplies.increment();
  }

  /** Commands that ended without being applied here, since the start. */
  public long failed() {
    return failed.sum();
  }

  /** Entries whose applying took longer than is wanted, since the start. */
  public long slowApplies() {
    return slowApplies.sum();
  }
}
