package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.StatusResponse;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one member said of itself at one moment.
 *
 * @param endpoint as the user wrote it
 * @param status null when it didn't answer
 * @param failure why it didn't; empty when it did
 * @param samples its metrics by name, those with labels added up; empty when there is no page
 * @param atNanos when, on the clock of {@link System#nanoTime}
 */
record TopSample(
    String endpoint,
    @Nullable StatusResponse status,
    String failure,
    Map<String, Double> samples,
    long atNanos) {
  TopSample {
    samples = Map.copyOf(samples);
  }

  /** Reads a page in Prometheus's text format. */
  static Map<String, Double> samples(String page) {
    Map<String, Double> samples = new HashMap<>();
    page.lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              int value = line.lastIndexOf(' ');
              int labels = line.indexOf('{');
              int end = labels < 0 ? value : labels;
              if (end > 0) {
                samples.merge(
                    line.substring(0, end), number(line.substring(value + 1)), Double::sum);
              }
            });
    return samples;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException notOurs) {
      return 0;
    }
  }

  /** The value of a metric; null when the member doesn't show it. */
  @Nullable Double value(String name) {
    return samples.get(name);
  }
}
