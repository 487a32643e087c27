package io.tidemark.raftcore.ratis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class EntriesUnderWayTest {
  private static final long SECOND = EntriesUnderWay.BYTES_PER_SECOND;

  private final EntriesUnderWay entries = new EntriesUnderWay();

  @Test
  void patienceIsForWhatIsUnanswered() {
    assertEquals(0, entries.patienceMillis());
    entries.sends(7, 1, 3, 2 * SECOND);
    entries.sends(9, 4, 4, SECOND);
    assertEquals(3000, entries.patienceMillis());
    entries.answers(8); // a heartbeat
    assertEquals(3000, entries.patienceMillis());
    entries.answers(7);
    assertEquals(1000, entries.patienceMillis());
    entries.answers(7);
    assertEquals(1000, entries.patienceMillis());
    entries.answers(9);
    assertEquals(0, entries.patienceMillis());
  }

  @Test
  void anAnswerIsForAllBefore() {
    entries.sends(1, 1, 1, SECOND);
    entries.sends(2, 2, 2, SECOND);
    entries.sends(3, 3, 3, SECOND);
    entries.answers(2);
    assertEquals(1000, entries.patienceMillis());
  }

  /** Else the patience with a dead follower would grow with every attempt. */
  @Test
  void sendingAgainCountsOnce() {
    entries.sends(1, 5, 5, SECOND);
    entries.sends(2, 6, 6, SECOND);
    for (int attempt = 0; attempt < 10; attempt++) {
      entries.sends(3 + attempt, 5, 5, SECOND);
      assertEquals(1000, entries.patienceMillis());
    }
    entries.answers(1);
    assertEquals(1000, entries.patienceMillis());
    entries.answers(12);
    assertEquals(0, entries.patienceMillis());
  }
}
