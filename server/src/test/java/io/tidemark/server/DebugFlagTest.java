package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code /debug/pprof/} is there when it is asked for, or as in etcd with a log that says all. */
@Timeout(60)
class DebugFlagTest {
  @ParameterizedTest
  @CsvSource({"--enable-pprof, 200", "--log-level=debug, 200", "--enable-pprof=false, 404"})
  void pagesAreThereWhenTheyAreWanted(String flag, int status, @TempDir Path data)
      throws Exception {
    try (LoneMember lone = LoneMember.start(data, flag, "--enable-grpc-gateway=false")) {
      for (String page : new String[] {"", "goroutine", "heap", "profile?seconds=1"}) {
        URI address =
            URI.create(
                "http://127.0.0.1:" + lone.member.clientPorts().get(0) + "/debug/pprof/" + page);
        assertEquals(
            status,
            HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
                .statusCode(),
            page);
      }
    }
  }
}
