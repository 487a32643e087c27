package io.tidemark.ctl.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JsonTextTest {
  @Test
  void writesNestedValuesInTheirOrder() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("z", 1L);
    map.put("a", List.of(true, "x", Map.of()));
    map.put("d", JsonText.rounded(1250000, 1));
    assertEquals("{\"z\":1,\"a\":[true,\"x\",{}],\"d\":1250000}", JsonText.of(map));
  }

  @Test
  void escapesWhatJsonDemands() {
    assertEquals("\"q\\\" b\\\\ n\\u000a é\"", JsonText.of("q\" b\\ n\n é"));
  }

  @Test
  void roundsHalfUpWithoutTrailingZeros() {
    assertEquals("0.001", JsonText.rounded(0.0005, 3).toPlainString());
    assertEquals("2", JsonText.rounded(1.9996, 3).toPlainString());
    assertEquals("1000", JsonText.rounded(1000, 3).toPlainString());
    assertEquals("-1.5", JsonText.rounded(-1.5, 1).toPlainString());
    assertEquals("0", JsonText.rounded(Double.NaN, 3).toPlainString());
    assertEquals("0", JsonText.rounded(1.0 / 0.0, 3).toPlainString());
  }
}
