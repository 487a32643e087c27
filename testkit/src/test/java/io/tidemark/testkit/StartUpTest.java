package io.tidemark.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The best of some rounds: what a cluster costs when classes are loaded and nobody else runs. */
@Timeout(120)
class StartUpTest {
  private static final int ROUNDS = 4;

  private static long bestMillis(int nodes) {
    return LongStream.range(0, ROUNDS).map(round -> millis(nodes)).min().orElseThrow();
  }

  private static long millis(int nodes) {
    long began = System.nanoTime();
    try (TidemarkCluster cluster = TidemarkCluster.builder().withNodes(nodes).start()) {
      long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      System.out.printf("%d of %d ready after %d ms%n", cluster.size(), nodes, took);
      return took;
    }
  }

  @Test
  void oneMemberIsReadyWithinHalfASecond() {
    long best = bestMillis(1);
    assertTrue(best < 500, best + " ms");
  }

  @Test
  void threeMembersAreReadyWithinTwoSeconds() {
    long best = bestMillis(3);
    assertTrue(best < 2_000, best + " ms");
  }
}
