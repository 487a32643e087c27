package io.tidemark.server.http;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Meter;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import com.google.protobuf.ByteString;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** {@code /metrics}: the registry in Prometheus's text format, after ready-made lines. */
public final class MetricsPage implements HttpEndpoint {
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final double NANOS = 1e9;
  private static final double[] QUANTILES = {0.5, 0.9, 0.99};

  private final MetricRegistry registry;
  private final Supplier<String> readyLines;

  public MetricsPage(MetricRegistry registry, Supplier<String> readyLines) {
    this.registry = registry;
    this.readyLines = readyLines;
  }

  @Override
  public CompletionStage<HttpAnswer> answer(HttpQuestion question) {
    return CompletableFuture.completedFuture(
        HttpAnswer.of(200, CONTENT_TYPE, ByteString.copyFromUtf8(text())));
  }

  private String text() {
    StringBuilder out = new StringBuilder(16_384);
    out.append(readyLines.get());
    registry.getGauges().forEach((name, gauge) -> gauge(out, prometheus(name), gauge));
    registry.getCounters().forEach((name, counter) -> counter(out, prometheus(name), counter));
    registry.getMeters().forEach((name, meter) -> meter(out, prometheus(name), meter));
    registry
        .getHistograms()
        .forEach((name, histogram) -> histogram(out, prometheus(name), histogram));
    registry.getTimers().forEach((name, timer) -> timer(out, prometheus(name), timer));
    return out.toString();
  }

  private static void gauge(StringBuilder out, String name, Gauge<?> gauge) {
    Object value = gauge.getValue();
    if (value instanceof Number number) {
      type(out, name, "gauge");
      sample(out, name, number.doubleValue());
    }
  }

  private static void counter(StringBuilder out, String name, Counter counter) {
    type(out, name, "gauge");
    sample(out, name, (double) counter.getCount());
  }

  private static void meter(StringBuilder out, String name, Meter meter) {
    String total = name + "_total";
    type(out, total, "counter");
    sample(out, total, (double) meter.getCount());
  }

  private static void histogram(StringBuilder out, String name, Histogram histogram) {
    summary(out, name, histogram.getSnapshot(), histogram.getCount(), 1);
  }

  private static void timer(StringBuilder out, String name, Timer timer) {
    summary(out, name + "_seconds", timer.getSnapshot(), timer.getCount(), NANOS);
  }

  private static void summary(
      StringBuilder out, String name, Snapshot snapshot, long count, double unit) {
    type(out, name, "summary");
    for (double quantile : QUANTILES) {
      sample(out, name + "{quantile=\"" + quantile + "\"}", snapshot.getValue(quantile) / unit);
    }
    sample(out, name + "_count", (double) count);
  }

  private static void type(StringBuilder out, String name, String type) {
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static void sample(StringBuilder out, String name, double value) {
    out.append(name).append(' ');
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      out.append((long) value);
    } else {
      out.append(String.format(Locale.ROOT, "%s", value));
    }
    out.append('\n');
  }

  private static String prometheus(String name) {
    return name.replaceAll("[^a-zA-Z0-9_:]", "_");
  }
}
