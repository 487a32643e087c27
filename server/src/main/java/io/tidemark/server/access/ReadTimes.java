package io.tidemark.server.access;

import com.codahale.metrics.MetricRegistry;
import io.tidemark.raftcore.metrics.Buckets;

/** How long reads of the store take, under etcd's name. Thread-safe. */
final class ReadTimes {
  private static final double NANOS = 1e9;

  private final Buckets done = Buckets.exponential(0.0001, 2, 20);
  private final Buckets failed = Buckets.exponential(0.0001, 2, 20);

  ReadTimes(MetricRegistry registry) {
    registry.register("etcd_server_range_duration_seconds{success=\"true\"}", done);
    registry.register("etcd_server_range_duration_seconds{success=\"false\"}", failed);
  }

  void done(long nanos) {
    done.observe(nanos / NANOS);
  }

  void failed(long nanos) {
    failed.observe(nanos / NANOS);
  }
}
