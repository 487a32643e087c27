package io.tidemark.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

final class JsonLineTest {
  @Test
  void recordIsOneLineInEtcdsFields() {
    LoggingEvent event = new LoggingEvent();
    event.setLevel(Level.WARN);
    event.setInstant(Instant.parse("2026-01-02T03:04:05.678901234Z"));
    event.setLoggerName("io.tidemark.server.edge.Edge");
    event.setMessage("a \"quoted\"\\ {}\n\u0001 é");
    event.setArgumentArray(new Object[] {"text"});
    event.setKeyValuePairs(List.of(new KeyValuePair("member", "m1")));
    assertEquals(
        "{\"level\":\"warn\",\"ts\":\"2026-01-02T03:04:05.678901Z\",\"caller\":\"edge/Edge\","
            + "\"msg\":\"a \\\"quoted\\\"\\\\ text\\n\\u0001 é\",\"member\":\"m1\"}\n",
        new String(new JsonLine().encode(event), StandardCharsets.UTF_8));
  }
}
