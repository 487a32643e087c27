package io.tidemark.server.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class BackupPaceTest {
  private static final long MILLI = 1_000_000;

  private final BackupPace pace = new BackupPace(0, 5);

  @Test
  void worksOnWhileNobodyWrites() {
    for (long now = 0; now < 1_000; now++) {
      assertEquals(0, pace.restAt(now * MILLI, 5));
    }
  }

  @Test
  void restsTwiceAsLongAsItHasWorkedWhileThereAreWrites() {
    assertEquals(0, pace.restAt(3 * MILLI, 6));
    assertEquals(8 * MILLI, pace.restAt(4 * MILLI, 6));
    assertEquals(0, pace.restAt(14 * MILLI, 7), "it has worked on at 12 ms");
    assertEquals(10 * MILLI, pace.restAt(17 * MILLI, 7));
    assertEquals(0, pace.restAt(40 * MILLI, 7), "nobody has written since");
  }

  @Test
  void aLongPieceOfWorkIsFollowedByAShortRest() {
    assertEquals(50 * MILLI, pace.restAt(5_000 * MILLI, 6));
  }
}
