package io.tidemark.it.client;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A member's {@code /metrics} at one moment. Immutable. */
public final class MemberMetrics {
  private static final int TIMEOUT_MILLIS = 5_000;

  private final Map<String, Double> samples;

  private MemberMetrics(Map<String, Double> samples) {
    this.samples = samples;
  }

  /**
   * Asks a member. Blocks.
   *
   * @throws IOException when it doesn't answer
   */
  public static MemberMetrics of(URI clientUrl) throws IOException {
    HttpURLConnection http =
        (HttpURLConnection) clientUrl.resolve("/metrics").toURL().openConnection();
    http.setConnectTimeout(TIMEOUT_MILLIS);
    http.setReadTimeout(TIMEOUT_MILLIS);
    Map<String, Double> samples = new HashMap<>();
    try (var in = http.getInputStream()) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(line -> add(samples, line));
    } finally {
      http.disconnect();
    }
    return new MemberMetrics(samples);
  }

  private static void add(Map<String, Double> samples, String line) {
    int blank = line.lastIndexOf(' ');
    samples.put(line.substring(0, blank), Double.valueOf(line.substring(blank + 1)));
  }

  /** The sample of that name, with labels if it has any. */
  public long get(String sample) {
    Double value = samples.get(sample);
    if (value == null) {
      throw new AssertionError("no such sample: " + sample);
    }
    return value.longValue();
  }
}
