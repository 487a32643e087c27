package io.tidemark.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tidemark.raftcore.metrics.Buckets;
import org.junit.jupiter.api.Test;

class FamiliesTest {
  private final Families families = new Families();

  @Test
  void samplesOfAFamilyStandTogether() {
    families.gauge("b{x=\"1\"}", 1);
    families.counter("a_total", 2.5);
    families.gauge("b{x=\"2\"}", -3);
    String text = families.text();
    assertEquals(
        "# TYPE a_total counter\na_total 2.5\n# TYPE b gauge\nb{x=\"1\"} 1\nb{x=\"2\"} -3\n", text);
    assertEquals(2, PrometheusText.read(text).families().size());
  }

  @Test
  void bucketsAddUp() {
    Buckets buckets = Buckets.exponential(0.001, 2, 3);
    for (double value : new double[] {0.0005, 0.001, 0.0011, 0.004, 9}) {
      buckets.observe(value);
    }
    families.histogram("h_seconds{op=\"x\"}", buckets);
    PrometheusText text = PrometheusText.read(families.text());
    assertEquals(2, text.value("h_seconds_bucket{op=\"x\",le=\"0.001\"}"));
    assertEquals(3, text.value("h_seconds_bucket{op=\"x\",le=\"0.002\"}"));
    assertEquals(4, text.value("h_seconds_bucket{op=\"x\",le=\"0.004\"}"));
    assertEquals(5, text.value("h_seconds_bucket{op=\"x\",le=\"+Inf\"}"));
    assertEquals(5, text.value("h_seconds_count{op=\"x\"}"));
    assertEquals(9.0066, text.value("h_seconds_sum{op=\"x\"}"), 1e-9);
  }

  @Test
  void oneNameHasOneType() {
    families.gauge("a", 1);
    assertThrows(IllegalStateException.class, () -> families.counter("a", 1));
  }
}
