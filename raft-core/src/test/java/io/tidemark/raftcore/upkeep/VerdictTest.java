package io.tidemark.raftcore.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whom different hashes accuse. */
class VerdictTest {
  private static List<Long> corrupt(int members, Map<Long, Integer> hashes) {
    return Verdict.of(hashes, members).corrupt();
  }

  @Test
  void nobodyWhenAllAgree() {
    assertEquals(List.of(), corrupt(3, Map.of()));
    assertEquals(List.of(), corrupt(3, Map.of(7L, 1)));
    assertEquals(List.of(), corrupt(3, Map.of(7L, 1, 8L, 1, -9L, 1)));
  }

  @Test
  void theMinorityWhenThereIsAMajority() {
    assertEquals(List.of(8L), corrupt(3, Map.of(7L, 1, 8L, 2, -9L, 1)));
    assertEquals(List.of(7L, 8L), corrupt(5, Map.of(7L, 1, 8L, 2, 9L, 3, 10L, 3, 11L, 3)));
    assertEquals(List.of(8L), corrupt(5, Map.of(7L, 1, 8L, 2, 9L, 1, 10L, 1)), "one is silent");
  }

  @Test
  void everybodyWhenNoMajorityAgrees() {
    assertEquals(List.of(0L), corrupt(2, Map.of(7L, 1, 8L, 2)));
    assertEquals(List.of(0L), corrupt(3, Map.of(7L, 1, 8L, 2, 9L, 3)));
    assertEquals(List.of(0L), corrupt(3, Map.of(7L, 1, 8L, 2)), "one is silent");
    assertEquals(List.of(0L), corrupt(5, Map.of(7L, 1, 8L, 2, 9L, 1)), "two are silent");
  }
}
