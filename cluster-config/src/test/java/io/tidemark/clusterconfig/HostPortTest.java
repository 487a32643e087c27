package io.tidemark.clusterconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPortTest {
  @ParameterizedTest
  @CsvSource({
    "http://localhost:2379, localhost, 2379",
    "http://node_1:2380, node_1, 2380",
    "https://[::1]:2380, ::1, 2380",
    "http://[::1], ::1, -1",
    "http://localhost, localhost, -1",
    "http://localhost:65536, localhost, -1",
    "http://:2379, '', 2379",
  })
  void takesTheAuthorityApart(URI url, String host, int port) {
    assertEquals(new HostPort(host, port), HostPort.of(url));
  }
}
