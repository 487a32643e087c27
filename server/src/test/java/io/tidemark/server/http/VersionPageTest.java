package io.tidemark.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class VersionPageTest {
  private boolean decided;
  private final VersionPage page = new VersionPage("3.7.1", "3.7.0", () -> decided);

  private String body() {
    return page.answer(
            new HttpQuestion(
                "GET", "/version", Map.of(), Map.of(), ByteString.EMPTY, HttpCaller.nobody()))
        .toCompletableFuture()
        .join()
        .body()
        .toStringUtf8();
  }

  @Test
  void clusterVersionIsKnownFromTheFirstLeaderOn() {
    assertEquals(
        "{\"etcdserver\":\"3.7.1\",\"etcdcluster\":\"not_decided\",\"storage\":\"unknown\"}",
        body());
    decided = true;
    String known = "{\"etcdserver\":\"3.7.1\",\"etcdcluster\":\"3.7.0\",\"storage\":\"3.7.0\"}";
    assertEquals(known, body());
    decided = false;
    assertEquals(known, body());
  }
}
