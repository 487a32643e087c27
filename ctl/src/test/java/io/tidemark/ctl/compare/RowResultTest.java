package io.tidemark.ctl.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ctl.bench.Endpoint;
import io.tidemark.ctl.bench.Latency;
import io.tidemark.ctl.bench.Load;
import io.tidemark.ctl.bench.LoadReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RowResultTest {
  private static Outcome outcome(long operations, double p99, double cpuSeconds) {
    LoadReport report =
        new LoadReport(
            "put",
            2,
            operations,
            new Latency(1, 1, 2, p99, p99, p99),
            Map.of(),
            Map.of(),
            0,
            List.of());
    return new Outcome(report, cpuSeconds, 3L << 20, 0, 1, false);
  }

  private final RowResult result =
      new RowResult(
          Row.all(Through.SPREAD, 500).get(0),
          List.of(outcome(2000, 4, 0.2), outcome(1000, 8, 0.2)),
          List.of(outcome(3000, 2, 0.1), outcome(500, 8, 0.4)));

  @Test
  void ratiosPairByPair() {
    assertEquals(new Spread(1, 0.5, 1.5), result.ratio("operations_per_second"));
    assertEquals(new Spread(0.75, 0.5, 1), result.ratio("p99_ms"));
    assertEquals(new Spread(1, 1, 1), result.ratio("rss_mebibytes"));
  }

  @Test
  void processorTimeIsPerMillionOperations() {
    assertEquals(100.0, outcome(2000, 1, 0.2).cpuSecondsPerMillion());
    assertEquals(0.0, outcome(0, 1, 0.2).cpuSecondsPerMillion());
  }

  @Test
  void oneLineOfTheTable() {
    assertEquals(
        "put-1 via spread                           750 / 875  1.00 (0.50-1.50)      1.00"
            + " / 1.00  1.00 (1.00-1.00)       6.00 / 5.00  0.75 (0.50-1.00)    150 / 417       3 / 3 0.5 / 0.5",
        result.toText());
    assertEquals(
        "put-1 via spread                             - / 875  -                        -"
            + " / 1.00  -                         - / 5.00  -                     - / 417       - / 3   - / 0.5",
        new RowResult(result.row(), List.of(), result.tidemark()).toText());
  }

  @Test
  void whoIsCalled() {
    List<Endpoint> members =
        List.of(new Endpoint("a", 1), new Endpoint("b", 1), new Endpoint("c", 1));
    assertEquals(List.of(members.get(2)), Through.LEADER.choose(members, 2));
    assertEquals(List.of(members.get(0)), Through.FOLLOWER.choose(members, 2));
    assertEquals(members, Through.SPREAD.choose(members, 2));
    Row latency = Row.all(Through.LEADER, 500).get(7);
    assertEquals(
        new Load.Watch("watch-latency-follower", List.of(members.get(1)), 1, 256, 500),
        latency.on(members, 0));
  }
}
