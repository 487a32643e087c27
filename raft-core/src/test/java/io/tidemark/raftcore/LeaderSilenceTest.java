package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LeaderSilenceTest {
  @Test
  void beginsAboveTheBoundAndEndsWithFreshNews() {
    LeaderSilence silence = new LeaderSilence("m", Duration.ofMillis(300));
    List<Boolean> silent =
        Stream.of(0, 299, 300, 301, 9_000, 300, 0, 400)
            .map(age -> silence.look(Duration.ofMillis(age), 7, 5))
            .toList();
    assertEquals(List.of(false, false, false, true, true, false, false, true), silent);
  }
}
