package io.tidemark.server.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonValuesTest {
  private static List<String> values(String body) throws Exception {
    JsonValues values = new JsonValues(ByteString.copyFromUtf8(body));
    List<String> all = new ArrayList<>();
    for (String value = values.next(); value != null; value = values.next()) {
      all.add(value);
    }
    return all;
  }

  @Test
  void valuesMayStandSideBySide() throws Exception {
    assertEquals(List.of(), values(""));
    assertEquals(List.of(), values(" \r\n\t"));
    assertEquals(List.of("{\"a\":1}"), values(" {\"a\":1} "));
    assertEquals(List.of("{\"a\":[1]}", "{}", "[{}]"), values("{\"a\":[1]}{}\n [{}]"));
    assertEquals(List.of("7", "true", "{}", "\"x\"", "null"), values("7 true{} \"x\" null"));
  }

  @Test
  void bracketsAndQuotesInsideTextDontCount() throws Exception {
    assertEquals(
        List.of("{\"a\":\"}\\\"}{\\\\\"}", "{\"ä\":\"]\"}"),
        values("{\"a\":\"}\\\"}{\\\\\"}{\"ä\":\"]\"}"));
  }

  @Test
  void endInTheMiddleOfAValueIsTold() {
    for (String body : new String[] {"{", "{}{", "{\"a", "[{}", "\"", "{\"a\\"}) {
      BadRequestException e = assertThrows(BadRequestException.class, () -> values(body), body);
      assertEquals("unexpected EOF", e.text());
    }
  }

  @Test
  void nestingIsBounded() {
    BadRequestException e =
        assertThrows(BadRequestException.class, () -> values("[".repeat(1_000_000)));
    assertEquals("exceeded max depth", e.text());
  }
}
