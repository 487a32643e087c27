package io.tidemark.raftcore.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.SlidingWindowReservoir;
import com.codahale.metrics.Timer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;
import org.jspecify.annotations.Nullable;

/**
 * One Ratis registry as a name prefix ({@code ratis.<component>.}) in a dropwizard registry.
 *
 * <p>Thread-safe. Several of Ratis's registries of one member may share a prefix; each removes only
 * the names that it made.
 */
final class PrefixedRegistry implements RatisMetricRegistry {
  /** Ratis's timers of its log, by the names under which they are histograms as well. */
  private static final Map<String, String> HISTOGRAMS =
      Map.of(
          "ratis.log_worker.syncTime", "etcd_disk_wal_fsync_duration_seconds",
          "ratis.log_worker.writelogExecutionTime", "etcd_disk_wal_write_duration_seconds",
          "ratis.log_worker.appendEntryLatency", "tidemark_write_append_seconds");

  /** Its timers of a follower: from a request to the answer, with entries and without. */
  private static final Pattern FOLLOWER =
      Pattern.compile("ratis\\.log_appender\\.([0-9a-f]+)_latency(_heartbeat)?");

  /**
   * Quantiles are of the last so many. The registry's own choice, samples that fade with time, took
   * a twentieth of a follower's CPU time under single puts.
   */
  private static final int SAMPLES = 1024;

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
    Timer timer = registry.timer(full, () -> new Timer(new SlidingWindowReservoir(SAMPLES)));
    String histogram = histogram(full);
    return histogram == null
        ? () -> timer.time()::stop
        : new TimedTwice(timer, buckets(registry, histogram));
  }

  private static @Nullable String histogram(String timer) {
    String known = HISTOGRAMS.get(timer);
    if (known != null) {
      return known;
    }
    Matcher follower = FOLLOWER.matcher(timer);
    if (!follower.matches()) {
      return null;
    }
    return (follower.group(2) == null
            ? "tidemark_write_replicate_seconds"
            : "etcd_network_peer_round_trip_time_seconds")
        + "{To=\""
        + follower.group(1)
        + "\"}";
  }

  /**
   * Makes what is there from the start: Ratis makes some of its timers when it first needs them.
   */
  static void prepare(MetricRegistry registry) {
    HISTOGRAMS.values().forEach(name -> buckets(registry, name));
  }

  /** Stays when Ratis restarts, so that it only grows. */
  private static synchronized Buckets buckets(MetricRegistry registry, String name) {
    if (registry.getMetrics().get(name) instanceof Buckets known) {
      return known;
    }
    return registry.register(name, bounds(name));
  }

  /** As etcd has them; of what it doesn't have, as those of other stages of a write. */
  private static Buckets bounds(String name) {
    if (name.startsWith("etcd_network_peer")) {
      return Buckets.exponential(0.0001, 2, 16);
    }
    return name.startsWith("etcd")
        ? Buckets.exponential(0.001, 2, 14)
        : Buckets.exponential(0.0001, 2, 20);
  }

  /** Times twice: quantiles under Ratis's name, buckets under the other. */
  private record TimedTwice(Timer timer, Buckets buckets) implements Timekeeper {
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
