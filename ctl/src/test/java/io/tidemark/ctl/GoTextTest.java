package io.tidemark.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoTextTest {
  @Test
  void quotesBytes() {
    assertEquals("\"x\\n\\\"\\x01é<\\\\\"", GoText.quote("x\n\"\u0001é<\\"));
    ByteString broken = ByteString.copyFrom(new byte[] {'a', (byte) 0xff, 0, (byte) 0xc3});
    assertEquals("\"a\\xff\\x00\\xc3\"", GoText.quote(broken));
    assertEquals("\"\\u200b\"", GoText.quote("\u200b"));
  }

  @Test
  void hexOfBytes() {
    assertEquals("\\x61\\xff", GoText.hex(ByteString.copyFrom(new byte[] {'a', (byte) 0xff})));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "17, 17ns",
    "1500, 1.5µs",
    "4852378, 4.852378ms",
    "4649530, 4.64953ms",
    "1000000000, 1s",
    "60500000000, 1m0.5s",
    "3600000000000, 1h0m0s",
    "-1500000, -1.5ms",
  })
  void durations(long nanos, String text) {
    assertEquals(text, GoText.duration(Duration.ofNanos(nanos)));
  }

  @ParameterizedTest
  @CsvSource({"5s, 5000", "1m30s, 90000", "1.5s, 1500", "250ms, 250", "2h, 7200000"})
  void parsesDurations(String text, long millis) {
    assertEquals(Duration.ofMillis(millis), GoText.parseDuration("--x", text));
  }

  @Test
  void refusesOtherTexts() {
    CommandFailure failure =
        assertThrows(CommandFailure.class, () -> GoText.parseDuration("--x", "5"));
    assertEquals("invalid argument \"5\" for \"--x\": not a duration", failure.getMessage());
    assertEquals(128, failure.exitCode());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "9, 9 B",
    "999, 999 B",
    "1000, 1.0 kB",
    "20480, 20 kB",
    "24576, 25 kB",
    "1572864, 1.6 MB",
    "2147483648, 2.1 GB",
    "85899345920, 86 GB",
  })
  void sizes(long bytes, String text) {
    assertEquals(text, GoText.size(bytes));
  }
}
