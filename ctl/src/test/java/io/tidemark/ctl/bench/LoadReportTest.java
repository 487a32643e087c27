package io.tidemark.ctl.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LoadReportTest {
  private final LoadReport report =
      new LoadReport(
          "put",
          2.5,
          1001,
          new Latency(1.5, 1.25, 2, 3.0004, 4.0005, 5),
          Map.of("UNAVAILABLE: b", 2L, "INTERNAL: a", 1L),
          Map.of("conflicts", 3L),
          0.75,
          List.of(
              new LoadReport.Second(1.0004, 600, 3, 2.9), new LoadReport.Second(1.5, 401, 0, 3)));

  @Test
  void jsonIsOneObjectInAFixedOrder() {
    assertEquals(
        "{\"load\":\"put\",\"seconds\":2.5,\"operations\":1001,\"operations_per_second\":400.4,"
            + "\"latency_ms\":{\"mean\":1.5,\"p50\":1.25,\"p90\":2,\"p99\":3,\"p99_9\":4.001,"
            + "\"max\":5},\"error_count\":3,\"errors\":{\"INTERNAL: a\":1,\"UNAVAILABLE: b\":2},"
            + "\"notes\":{\"conflicts\":3},\"client_cpu_seconds\":0.75,\"series\":["
            + "{\"seconds\":1,\"operations\":600,\"errors\":3,\"p99_ms\":2.9},"
            + "{\"seconds\":1.5,\"operations\":401,\"errors\":0,\"p99_ms\":3}]}",
        JsonText.of(report.toJson()));
  }

  @Test
  void textNamesErrorsAndNotes() {
    assertEquals(
        """
        put: 400.4 op/s (1001 in 2.50 s), 3 errors
        ms: mean 1.500  p50 1.250  p90 2.000  p99 3.000  p99.9 4.001  max 5.000
        client: 0.75 CPU s
        error: 1 x INTERNAL: a
        error: 2 x UNAVAILABLE: b
        conflicts: 3
        """,
        report.toText());
  }

  @Test
  void errorsOfTwoSourcesAddUp() {
    assertEquals(
        Map.of("INTERNAL: a", 5L, "UNAVAILABLE: b", 2L),
        report.withErrors(Map.of("INTERNAL: a", 4L)).errors());
  }
}
