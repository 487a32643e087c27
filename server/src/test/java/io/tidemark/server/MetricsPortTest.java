package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MetricsPortTest {
  private static HttpResponse<String> get(int port, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            BodyHandlers.ofString());
  }

  /** Whoever may look at a member's health from there does not reach its data. */
  @Test
  void showsMetricsAndHealthAndNothingElse(@TempDir Path data) throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    try (LoneMember lone =
        LoneMember.start(data, "--listen-metrics-urls=http://127.0.0.1:" + port)) {
      assertEquals("{\"health\":\"true\",\"reason\":\"\"}", get(port, "/health").body());
      assertEquals("ok\n", get(port, "/readyz").body());
      assertTrue(get(port, "/metrics").body().contains("\netcd_server_has_leader 1\n"));
      for (String path : new String[] {"/version", "/tidemark/status", "/v3/kv/range"}) {
        assertEquals(404, get(port, path).statusCode(), path);
      }
      int clientPort = lone.member.clientPorts().get(0);
      assertEquals(200, get(clientPort, "/version").statusCode());
      assertEquals(200, get(clientPort, "/metrics").statusCode());
      assertEquals(404, get(clientPort, "/nothing").statusCode());
    }
  }
}
