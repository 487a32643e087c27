package io.tidemark.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeaseTimeTest {
  private final AtomicLong real = new AtomicLong(1_000);
  private final LeaseTime time = new LeaseTime(real::get);

  @Test
  void goesWithRealTimeAndCanBeMovedOn() {
    assertEquals(1_000, time.nanos());
    real.addAndGet(5);
    assertEquals(1_005, time.nanos());
    time.advance(Duration.ofNanos(100));
    assertEquals(1_105, time.nanos());
    assertThrows(IllegalArgumentException.class, () -> time.advance(Duration.ofNanos(-1)));
  }

  @Test
  void standsStillAndGoesOnFromThere() {
    time.stop();
    real.addAndGet(50);
    time.stop();
    assertEquals(1_000, time.nanos());
    time.advance(Duration.ofNanos(7));
    assertEquals(1_007, time.nanos());
    time.go();
    assertEquals(1_007, time.nanos());
    real.addAndGet(3);
    time.go();
    assertEquals(1_010, time.nanos());
  }
}
