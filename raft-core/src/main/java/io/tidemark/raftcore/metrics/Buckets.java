package io.tidemark.raftcore.metrics;

import com.codahale.metrics.Metric;
import java.util.Arrays;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/**
 * A histogram in Prometheus's sense: how many values were at most so large. Thread-safe; a reader
 * may see a value in a bucket before it sees it in the sum.
 */
public final class Buckets implements Metric {
  private final double[] bounds;
  private final LongAdder[] counts;
  private final DoubleAdder sum = new DoubleAdder();

  private Buckets(double[] bounds) {
    this.bounds = bounds;
    this.counts = new LongAdder[bounds.length + 1];
    Arrays.setAll(counts, i -> new LongAdder());
  }

  /** Bounds that begin with {@code start}, each {@code factor} times the one before. */
  public static Buckets exponential(double start, double factor, int count) {
    double[] bounds = new double[count];
    double bound = start;
    for (int i = 0; i < count; i++) {
      bounds[i] = bound;
      bound *= factor;
    }
    return new Buckets(bounds);
  }

  public void observe(double value) {
    int at = Arrays.binarySearch(bounds, value);
    counts[at < 0 ? -at - 1 : at].increment();
    sum.add(value);
  }

  /** Number of bounds. */
  public int size() {
    return bounds.length;
  }

  public double bound(int index) {
    return bounds[index];
  }

  /** Values of one bucket alone; the last one holds what is above all bounds. */
  public long count(int index) {
    return counts[index].sum();
  }

  public double sum() {
    return sum.sum();
  }
}
