package io.tidemark.ctl.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EndpointTest {
  @Test
  void readsHostAndPortWithAndWithoutScheme() {
    assertEquals(
        List.of(new Endpoint("127.0.0.1", 2379), new Endpoint("m2.example", 22379)),
        Endpoint.parseList("127.0.0.1:2379, http://m2.example:22379"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "host", ":1", "host:", "host:x", "host:0", "host:70000", "a:1/b", "a:1,"})
  void refusesWhatIsNone(String text) {
    assertThrows(IllegalArgumentException.class, () -> Endpoint.parseList(text));
  }
}
