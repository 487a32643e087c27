package io.tidemark.server.metrics;

import com.codahale.metrics.Snapshot;
import io.tidemark.raftcore.metrics.Buckets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Samples on their way to Prometheus's text format: families in the order of their names, the
 * samples of one family together. A sample's name may carry labels in braces. Not thread-safe.
 */
public final class Families {
  private static final double[] QUANTILES = {0.5, 0.9, 0.99};

  private final Map<String, Family> byName = new TreeMap<>();

  private record Family(String type, StringBuilder samples) {}

  public void gauge(String sample, double value) {
    add("gauge", sample, value);
  }

  /** A figure that only grows while the process lives. */
  public void counter(String sample, double value) {
    add("counter", sample, value);
  }

  /**
   * Quantiles and a count.
   *
   * @param unit what a value is divided by
   */
  public void summary(String name, Snapshot snapshot, long count, double unit) {
    StringBuilder samples = family("summary", name);
    for (double quantile : QUANTILES) {
      line(samples, name + "{quantile=\"" + quantile + "\"}", snapshot.getValue(quantile) / unit);
    }
    line(samples, name + "_count", (double) count);
  }

  public void histogram(String sample, Buckets buckets) {
    String name = name(sample);
    String labels = sample.substring(name.length());
    String inner = labels.isEmpty() ? "" : labels.substring(1, labels.length() - 1) + ",";
    StringBuilder samples = family("histogram", name);
    long below = 0;
    for (int i = 0; i < buckets.size(); i++) {
      below += buckets.count(i);
      String bound = number(buckets.bound(i));
      line(samples, name + "_bucket{" + inner + "le=\"" + bound + "\"}", (double) below);
    }
    below += buckets.count(buckets.size());
    line(samples, name + "_bucket{" + inner + "le=\"+Inf\"}", (double) below);
    line(samples, name + "_sum" + labels, buckets.sum());
    line(samples, name + "_count" + labels, (double) below);
  }

  /** All of it. */
  public String text() {
    StringBuilder out = new StringBuilder(65_536);
    byName.forEach(
        (name, family) ->
            out.append("# TYPE ")
                .append(name)
                .append(' ')
                .append(family.type)
                .append('\n')
                .append(family.samples));
    return out.toString();
  }

  private void add(String type, String sample, double value) {
    line(family(type, name(sample)), sample, value);
  }

  private StringBuilder family(String type, String name) {
    Family family = byName.computeIfAbsent(name, n -> new Family(type, new StringBuilder()));
    if (!family.type.equals(type)) {
      throw new IllegalStateException(name + " is both " + family.type + " and " + type);
    }
    return family.samples;
  }

  private static String name(String sample) {
    int labels = sample.indexOf('{');
    return labels < 0 ? sample : sample.substring(0, labels);
  }

  private static void line(StringBuilder samples, String sample, double value) {
    samples.append(sample).append(' ').append(number(value)).append('\n');
  }

  private static String number(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    return whole ? Long.toString((long) value) : Double.toString(value);
  }
}
