package io.tidemark.server.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;

/** A count that only grows: a counter in Prometheus's sense. Thread-safe. */
public final class Total extends Counter {
  /** The total of this name, made when it isn't there yet. */
  public static Total in(MetricRegistry registry, String name) {
    if (registry.getMetrics().get(name) instanceof Total known) {
      return known;
    }
    return registry.register(name, new Total());
  }
}
