package io.tidemark.server.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.Metadata;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallHeadersTest {
  @Test
  void onlyTheTokenAndNamedMetadataGoOn() {
    Metadata metadata =
        CallHeaders.metadata(
            Map.of(
                "authorization", "secret.1",
                "grpc-metadata-hasleader", "true",
                "grpc-metadata-x-bin", "AA",
                "grpc-metadata-", "x",
                "grpc-metadata-od(d", "x",
                "hasleader", "true",
                "cookie", "c"));
    assertEquals(Set.of("authorization", "hasleader"), metadata.keys());
    assertEquals(
        "secret.1",
        metadata.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER)));
  }

  @Test
  void timeoutsAreReadInAllUnits() throws Exception {
    assertEquals(CallHeaders.NO_TIMEOUT, CallHeaders.timeoutNanos(Map.of()));
    Map<String, Long> expected =
        Map.of(
            "1H", 3_600_000_000_000L,
            "2M", 120_000_000_000L,
            "3S", 3_000_000_000L,
            "4m", 4_000_000L,
            "5u", 5_000L,
            "6n", 6L,
            "99999999H", Long.MAX_VALUE);
    for (Map.Entry<String, Long> entry : expected.entrySet()) {
      assertEquals(
          entry.getValue(), CallHeaders.timeoutNanos(Map.of("grpc-timeout", entry.getKey())));
    }
    for (String wrong : new String[] {"", "1", "S", "-1S", "1s", "123456789S"}) {
      BadRequestException e =
          assertThrows(
              BadRequestException.class,
              () -> CallHeaders.timeoutNanos(Map.of("grpc-timeout", wrong)));
      assertEquals("invalid grpc-timeout: " + wrong, e.text());
    }
  }
}
