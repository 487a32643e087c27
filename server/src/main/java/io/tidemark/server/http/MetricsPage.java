package io.tidemark.server.http;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Meter;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import com.google.protobuf.ByteString;
import io.tidemark.raftcore.metrics.Buckets;
import io.tidemark.server.metrics.Families;
import io.tidemark.server.metrics.Total;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * {@code /metrics}: the registry in Prometheus's text format, and what is asked for on the spot.
 */
public final class MetricsPage implements HttpEndpoint {
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final double NANOS = 1e9;

  private final MetricRegistry registry;
  private final Consumer<Families> more;

  /**
   * A page.
   *
   * @param more adds the figures that nobody keeps in the registry
   */
  public MetricsPage(MetricRegistry registry, Consumer<Families> more) {
    this.registry = registry;
    this.more = more;
  }

  @Override
  public CompletionStage<HttpAnswer> answer(HttpQuestion question) {
    Families families = new Families();
    more.accept(families);
    registry.getMetrics().forEach((name, metric) -> add(families, prometheus(name), metric));
    return CompletableFuture.completedFuture(
        HttpAnswer.of(200, CONTENT_TYPE, ByteString.copyFromUtf8(families.text())));
  }

  private static void add(Families out, String name, Metric metric) {
    if (metric instanceof Total total) {
      out.counter(name, total.getCount());
    } else if (metric instanceof Counter counter) {
      // Libraries count down with these as well.
      out.gauge(name, counter.getCount());
    } else if (metric instanceof Buckets buckets) {
      out.histogram(name, buckets);
    } else if (metric instanceof Meter meter) {
      out.counter(name + "_total", meter.getCount());
    } else if (metric instanceof Histogram histogram) {
      out.summary(name, histogram.getSnapshot(), histogram.getCount(), 1);
    } else if (metric instanceof Timer timer) {
      out.summary(name + "_seconds", timer.getSnapshot(), timer.getCount(), NANOS);
    } else if (metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number) {
      out.gauge(name, number.doubleValue());
    }
  }

  /** Libraries use other characters; names with labels are our own. */
  private static String prometheus(String name) {
    return name.indexOf('{') >= 0 ? name : name.replaceAll("[^a-zA-Z0-9_:]", "_");
  }
}
