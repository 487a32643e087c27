package io.tidemark.ctl.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TallyTest {
  private final Tally tally = new Tally();

  @Test
  void percentilesOfAHundredKnownTimes() {
    for (int millis = 1; millis <= 100; millis++) {
      tally.done(millis * 1_000_000L);
    }
    tally.sample(1);
    // The upper ends of the histogram's steps, which are at most a thousandth wide.
    assertEquals(
        "{\"mean\":50.499,\"p50\":50.004,\"p90\":90.046,\"p99\":99.025,"
            + "\"p99_9\":100.008,\"max\":100.008}",
        JsonText.of(tally.latency().toJson()));
  }

  @Test
  void nothingCompletedIsAllZero() {
    tally.sample(1);
    assertEquals(new Latency(0, 0, 0, 0, 0, 0), tally.latency());
    assertEquals(0, tally.count());
  }

  @Test
  void warmUpLeavesNoTrace() {
    tally.done(1_000_000);
    tally.failed("UNAVAILABLE");
    tally.note("conflicts");
    tally.sample(1);
    tally.discard();
    tally.done(2_000_000);
    tally.sample(1);
    assertEquals(1, tally.count());
    assertEquals(Map.of(), tally.errors());
    assertEquals(Map.of(), tally.notes());
    assertEquals(1, tally.series().size());
  }

  @Test
  void eachIntervalHasItsOwnCounts() {
    tally.done(500_000);
    tally.done(500_000);
    tally.failed("a");
    tally.sample(1.5);
    tally.done(500_000);
    tally.failed("a");
    tally.failed("b");
    tally.sample(0.5);
    assertEquals(
        List.of(
            new LoadReport.Second(1.5, 2, 1, 0.500223), new LoadReport.Second(0.5, 1, 2, 0.500223)),
        tally.series());
    assertEquals(3, tally.count());
    assertEquals(Map.of("a", 2L, "b", 1L), tally.errors());
  }

  @Test
  void timesBeyondTheScaleCountAsTheLongest() {
    tally.done(Long.MAX_VALUE);
    tally.done(-1);
    tally.sample(1);
    assertEquals(2, tally.count());
  }

  @Test
  void distinctTextsAreBounded() {
    for (int i = 0; i < 100; i++) {
      tally.failed("text " + i);
    }
    assertEquals(36L, tally.errors().get("other"));
    assertEquals(65, tally.errors().size());
  }
}
