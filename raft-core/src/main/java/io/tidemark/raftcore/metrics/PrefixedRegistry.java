package io.tidemark.raftcore.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;

/**
 * One Ratis registry as a name prefix ({@code ratis.<component>.}) in a dropwizard registry.
 *
 * <p>Thread-safe. Several of Ratis's registries of one member may share a prefix; each removes only
 * the names that it made.
 */
final class PrefixedRegistry implements RatisMetricRegistry {
  /** Ratis's timer around the flush of its log to the disk. */
  private static final String FSYNC = "ratis.log_worker.syncTime";

  private static final String ETCD_FSYNC = "etcd_disk_wal_fsync_duration_seconds";

  private final MetricRegistryInfo info;
  private final MetricRegistry registry;
  private final String prefix;
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  PrefixedRegistry(MetricRegistryInfo info, MetricRegistry registry) {
    this.info = info;
    this.registry = registry;
    this.prefix = MetricRegistry.name("ratis", info.getMetricsComponentName());
  }

  @Override
  public Timekeeper timer(String name) {
    String full = own(name);
    Timer timer = registry.timer(full);
    return full.equals(FSYNC) ? new Fsyncs(timer, fsyncs()) : () -> timer.time()::stop;
  }

  /** Stays when Ratis restarts, so that it only grows. */
  private Buckets fsyncs() {
    if (registry.getMetrics().get(ETCD_FSYNC) instanceof Buckets known) {
      return known;
    }
    return registry.register(ETCD_FSYNC, Buckets.exponential(0.001, 2, 14));
  }

  /** Times twice: quantiles under Ratis's name, buckets under etcd's. */
  private record Fsyncs(Timer timer, Buckets buckets) implements Timekeeper {
    @Override
    public Context time() {
      Timer.Context context = timer.time();
      return () -> {
        long nanos = context.stop();
        buckets.observe(nanos / 1e9);
        return nanos;
      };
    }
  }

  @Override
  public LongCounter counter(String name) {
    Counter counter = registry.counter(own(name));
    return new DropwizardCounter(counter);
  }

  @Override
  public boolean remove(String name) {
    String full = MetricRegistry.name(prefix, name);
    names.remove(full);
    return registry.remove(full);
  }

  @Override
  public <T> void gauge(String name, Supplier<Supplier<T>> gaugeSupplier) {
    String full = own(name);
    Supplier<T> supplier = gaugeSupplier.get();
    Gauge<T> gauge = supplier::get;
    registry.remove(full); // a restarted division brings a fresh supplier
    registry.gauge(full, () -> gauge);
  }

  @Override
  public MetricRegistryInfo getMetricRegistryInfo() {
    return info;
  }

  void removeAll() {
    names.forEach(registry::remove);
    names.clear();
  }

  private String own(String name) {
    String full = MetricRegistry.name(prefix, name);
    names.add(full);
    return full;
  }

  private record DropwizardCounter(Counter counter) implements LongCounter {
    @Override
    public void inc(long n) {
      counter.inc(n);
    }

    @Override
    public void dec(long n) {
      counter.dec(n);
    }

    @Override
    public long getCount() {
      return counter.getCount();
    }
  }
}
