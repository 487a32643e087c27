package io.tidemark.ctl.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class ProcUsageTest {
  @Test
  void readsTimesAfterACommandWithBlanksAndBrackets() {
    String stat = "77 (a) b (c)) S 1 77 77 0 -1 4194560 900 0 3 0 1234 66 0 0 20 0 31 0 5005";
    String status = "Name:\ta\nVmPeak:\t  999 kB\nVmRSS:\t   2048 kB\nThreads:\t31\n";
    assertEquals(new ProcUsage(13.0, 2_097_152), ProcUsage.parse(stat, status));
  }

  @Test
  void aProcessWithoutMemoryOfItsOwn() {
    assertEquals(
        new ProcUsage(0.03, 0),
        ProcUsage.parse("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 1 2 0 0", "Name:\tkthreadd\n"));
  }

  @Test
  void machineTimeLeavesIdleWaitingAndGuestsOut() {
    assertEquals(
        1.33, ProcUsage.parseMachine("cpu  100 20 3 9000 700 4 5 1 50 60\ncpu0 1 2 3 4\n"));
  }

  @Test
  void sums() {
    assertEquals(new ProcUsage(4.5, 30), new ProcUsage(1.5, 10).plus(new ProcUsage(3, 20)));
  }
}
