package io.tidemark.ctl.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ctl.bench.JsonText;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpreadTest {
  @Test
  void theMiddleOfAnOddNumber() {
    assertEquals(new Spread(2, 1, 9), Spread.of(List.of(9.0, 1.0, 2.0)));
  }

  @Test
  void theMeanOfTheTwoInTheMiddleOfAnEvenNumber() {
    assertEquals(new Spread(2.5, 1, 9), Spread.of(List.of(9.0, 3.0, 2.0, 1.0)));
  }

  @Test
  void oneAndNone() {
    assertEquals(new Spread(4, 4, 4), Spread.of(List.of(4.0)));
    assertEquals(new Spread(0, 0, 0), Spread.of(List.of()));
  }

  @Test
  void ratiosArePairedBeforeTheyAreSorted() {
    // 30/10, 10/20, 20/40: the ratio of the medians would be 1.
    assertEquals(
        new Spread(0.5, 0.5, 3),
        Spread.ofRatios(List.of(30.0, 10.0, 20.0), List.of(10.0, 20.0, 40.0)));
  }

  @Test
  void pairsThatCannotBeDividedAreLeftOut() {
    assertEquals(new Spread(2, 2, 2), Spread.ofRatios(List.of(1.0, 2.0, 3.0), List.of(0.0, 1.0)));
  }

  @Test
  void texts() {
    Spread spread = new Spread(1.23456, 1, 2.005);
    assertEquals("1.23 (1.00-2.01)", spread.toText());
    assertEquals("{\"median\":1.2346,\"min\":1,\"max\":2.005}", JsonText.of(spread.toJson()));
  }
}
