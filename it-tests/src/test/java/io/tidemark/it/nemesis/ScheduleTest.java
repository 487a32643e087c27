package io.tidemark.it.nemesis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A seed stands for a schedule. */
class ScheduleTest {
  private static final List<FaultKind> ALL = List.of(FaultKind.values());

  private static List<Step> steps(long seed, int count) {
    Schedule schedule = new Schedule(ALL, seed);
    return Stream.generate(schedule::next).limit(count).toList();
  }

  @Test
  void sameSeedSameSteps() {
    assertEquals(steps(5, 100), steps(5, 100));
  }

  @Test
  void otherSeedOtherSteps() {
    assertNotEquals(steps(5, 20), steps(6, 20));
  }

  @Test
  void everyRoundHasEveryKind() {
    List<Step> steps = steps(5, 3 * ALL.size());
    for (int round = 0; round < 3; round++) {
      EnumSet<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
      steps.subList(round * ALL.size(), (round + 1) * ALL.size()).forEach(s -> kinds.add(s.kind()));
      assertEquals(EnumSet.allOf(FaultKind.class), kinds);
    }
  }

  @Test
  void namesAreReadAsTheyAreWritten() {
    for (FaultKind kind : ALL) {
      assertEquals(kind, FaultKind.of(kind.text()));
    }
    assertThrows(IllegalArgumentException.class, () -> FaultKind.of("flood"));
  }
}
