package io.tidemark.raftcore.metrics;

import com.codahale.metrics.MetricRegistry;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.util.TimeDuration;

/**
 * The {@link MetricRegistries} service that Ratis loads: every Ratis registry becomes a set of
 * names in the dropwizard registry of the member it speaks of.
 *
 * <p>Ratis knows one global instance per JVM; members are told apart by a registry's prefix, which
 * is the peer id or {@code <peer id>@<group>}. Registries of nobody we know go to a registry that
 * nobody reads. No reporter is ever started. Thread-safe.
 */
public final class TidemarkMetricRegistries extends MetricRegistries {
  private static final Map<String, MetricRegistry> MEMBERS = new ConcurrentHashMap<>();

  private final MetricRegistry unclaimed = new MetricRegistry();

  @GuardedBy("this")
  private final Map<MetricRegistryInfo, Entry> entries = new HashMap<>();

  /** Called by the service loader. */
  public TidemarkMetricRegistries() {}

  /** From now on Ratis's metrics of that peer go to that registry. */
  public static void claim(String peerId, MetricRegistry registry) {
    PrefixedRegistry.prepare(registry);
    MEMBERS.put(peerId, registry);
  }

  /** Ends {@link #claim}. */
  public static void release(String peerId) {
    MEMBERS.remove(peerId);
  }

  @Override
  public synchronized void clear() {
    entries.clear();
  }

  @Override
  public synchronized RatisMetricRegistry create(MetricRegistryInfo info) {
    Entry entry =
        entries.computeIfAbsent(
            info, i -> new Entry(new PrefixedRegistry(i, registryOf(i.getPrefix()))));
    entry.references++;
    return entry.registry;
  }

  @Override
  public synchronized boolean remove(MetricRegistryInfo key) {
    Entry entry = entries.get(key);
    if (entry == null) {
      return true;
    }
    entry.references--;
    if (entry.references > 0) {
      return false;
    }
    entries.remove(key);
    entry.registry.removeAll();
    return true;
  }

  @Override
  public synchronized Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
    return Optional.ofNullable(entries.get(info)).map(e -> e.registry);
  }

  @Override
  public synchronized Set<MetricRegistryInfo> getMetricRegistryInfos() {
    return Set.copyOf(entries.keySet());
  }

  @Override
  public synchronized Collection<RatisMetricRegistry> getMetricRegistries() {
    return List.copyOf(entries.values().stream().map(e -> e.registry).toList());
  }

  @Override
  public void addReporterRegistration(
      Consumer<RatisMetricRegistry> reporterRegistration,
      Consumer<RatisMetricRegistry> stopReporter) {
    // The member's registry has its own readers.
  }

  @Override
  public void enableJmxReporter() {
    // Never: the metrics page is the one way out.
  }

  @Override
  public void enableConsoleReporter(TimeDuration consoleReportRate) {
    // Never, as above.
  }

  private MetricRegistry registryOf(String prefix) {
    int end = prefix.indexOf('@');
    return MEMBERS.getOrDefault(end < 0 ? prefix : prefix.substring(0, end), unclaimed);
  }

  private static final class Entry {
    final PrefixedRegistry registry;
    int references;

    Entry(PrefixedRegistry registry) {
      this.registry = registry;
    }
  }
}
