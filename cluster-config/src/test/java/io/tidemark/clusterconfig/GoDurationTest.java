package io.tidemark.clusterconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "300ms, 300000000",
    "1.5h, 5400000000000",
    "2h45m, 9900000000000",
    "1m0s, 60000000000",
    "10us, 10000",
    "10µs, 10000",
    "7ns, 7",
    ".5s, 500000000",
    "-3s, -3000000000",
    "+3s, 3000000000",
    "2562047h47m16.854775807s, 9223372036854775807",
  })
  void parses(String text, long nanos) {
    assertEquals(Optional.of(Duration.ofNanos(nanos)), GoDuration.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "5", "s", "1d", "1h 5m", "1h5", "ms5", "1..5s", "9999999999h"})
  void refuses(String text) {
    assertEquals(Optional.empty(), GoDuration.parse(text));
  }

  @Test
  void fractionsBelowANanosecondAreDropped() {
    assertEquals(Optional.of(Duration.ofNanos(1)), GoDuration.parse("1.9ns"));
  }
}
