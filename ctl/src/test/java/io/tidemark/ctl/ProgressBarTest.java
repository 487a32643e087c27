package io.tidemark.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  private ProgressBar bar(boolean visible) {
    return new ProgressBar(new PrintStream(shown, true, StandardCharsets.UTF_8), visible);
  }

  private String shown() {
    return shown.toString(StandardCharsets.UTF_8);
  }

  @Test
  void itIsDrawnAnewWithEachPercentAndEndsItsLine() {
    ProgressBar bar = bar(true);
    bar.advance(1_000_000, 3_000_000);
    bar.advance(1_000, 2_999_000); // still a quarter
    bar.advance(2_999_000, 0);
    bar.end();
    assertEquals(
        String.join(
            "",
            "\r[#######-----------------------]  25 %  1.0 MB of 4.0 MB ",
            "\r[##############################] 100 %  4.0 MB of 4.0 MB ",
            String.format(Locale.ROOT, "%n")),
        shown());
  }

  @Test
  void ofNothingAllIsThere() {
    ProgressBar bar = bar(true);
    bar.advance(0, 0);
    assertEquals("\r[##############################] 100 %  0 B of 0 B ", shown());
  }

  @Test
  void aFileOrPipeGetsNothing() {
    ProgressBar bar = bar(false);
    bar.advance(1_000_000, 3_000_000);
    bar.advance(3_000_000, 0);
    bar.end();
    assertEquals("", shown());
  }
}
