package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GatewayOverSocketsTest {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static LoneMember lone;
  private static KVGrpc.KVBlockingStub kv;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    lone = LoneMember.start(data);
    kv = KVGrpc.newBlockingStub(lone.channel);
  }

  @AfterAll
  static void stop() {
    lone.close();
  }

  private static HttpRequest.Builder request(String path, String body) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + lone.member.clientPorts().get(0) + path))
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  private static HttpResponse<String> post(String path, String body) throws Exception {
    return HTTP.send(request(path, body).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static void answers(int status, String body, HttpResponse<String> response) {
    assertEquals(body, response.body().replaceFirst("\\{\"cluster_id\"[^}]*}", "{}"));
    assertEquals(status, response.statusCode());
    assertEquals("application/json", response.headers().firstValue("content-type").orElseThrow());
    assertEquals("*", response.headers().firstValue("access-control-allow-origin").orElseThrow());
  }

  private static String error(int code, String text) {
    return "{\"error\":\"" + text + "\",\"code\":" + code + ",\"message\":\"" + text + "\"}";
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static long put(String key, ByteString value) {
    return kv.put(
            PutRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)).setValue(value).build())
        .getHeader()
        .getRevision();
  }

  @Test
  void putAndRangeOfBothPrefixes() throws Exception {
    answers(
        200,
        "{\"header\":{}}",
        post("/v3/kv/put", "{\"key\":\"" + base64("a") + "\",\"value\":\"" + base64("1") + "\"}"));
    long revision =
        kv.range(RangeRequest.newBuilder().setKey(ByteString.copyFromUtf8("a")).build())
            .getKvs(0)
            .getModRevision();
    String expected =
        "{\"header\":{},\"kvs\":[{\"key\":\"YQ==\",\"create_revision\":\"%d\",\"mod_revision\":\"%d\","
            + "\"version\":\"1\",\"value\":\"MQ==\"}],\"count\":\"1\"}";
    for (String prefix : new String[] {"/v3/", "/v3beta/"}) {
      answers(
          200,
          expected.formatted(revision, revision),
          post(prefix + "kv/range", "{\"key\":\"YQ==\",\"new_field\":1}"));
    }
  }

  @Test
  void refusals() throws Exception {
    answers(400, error(3, "etcdserver: key is not provided"), post("/v3/kv/range", ""));
    answers(400, error(3, "unexpected EOF"), post("/v3/kv/range", "{"));
    answers(
        404,
        error(5, "etcdserver: requested lease not found"),
        post("/v3/lease/revoke", "{\"ID\":9}"));
    answers(404, error(5, "Not Found"), post("/v3/nothing", "{}"));
    assertEquals(404, post("/v3alpha/kv/range", "{}").statusCode());
    answers(
        501,
        error(12, "Method Not Allowed"),
        HTTP.send(request("/v3/kv/range", "").GET().build(), HttpResponse.BodyHandlers.ofString()));
    answers(
        400,
        error(3, "invalid grpc-timeout: x"),
        HTTP.send(
            request("/v3/kv/range", "{}").header("Grpc-Timeout", "x").build(),
            HttpResponse.BodyHandlers.ofString()));
    answers(
        504,
        error(4, "context deadline exceeded"),
        HTTP.send(
            request("/v3/election/observe", "{\"name\":\"bm9uZQ==\"}")
                .header("Grpc-Timeout", "50m")
                .build(),
            HttpResponse.BodyHandlers.ofString()));
  }

  /** The same limits, in the same words, as over gRPC. */
  @Test
  void sizesAreLimited() throws Exception {
    String start = "{\"key\":\"YQ==\",\"value\":\"";
    answers(
        400,
        error(3, "etcdserver: request is too large"),
        post("/v3/kv/put", start + base64("x".repeat(1_600_000)) + "\"}"));
    answers(
        429,
        error(8, "grpc: received message larger than max (2200008 vs. 2097152)"),
        post("/v3/kv/put", start + base64("x".repeat(2_200_000)) + "\"}"));
    assertEquals(
        413, post("/v3/kv/put", start + base64("x".repeat(5_000_000)) + "\"}").statusCode());
  }

  /** What the reply of the deepest one holds lies deeper than anything in the request. */
  @Test
  void transactionsAreAnsweredToAnyDepthThatIsTaken() throws Exception {
    put("deep", ByteString.EMPTY);
    String get = "{\"request_range\":{\"key\":\"" + base64("deep") + "\"}}";
    StringBuilder taken = new StringBuilder();
    for (int depth = 1; depth <= 60; depth++) {
      String json =
          "{\"success\":[{\"request_txn\":".repeat(depth)
              + "{\"success\":["
              + get
              + "]}"
              + "}]}".repeat(depth);
      HttpResponse<String> answer = post("/v3/kv/txn", json);
      taken.append(answer.statusCode() == 200 ? '+' : '-');
      if (answer.statusCode() == 200) {
        assertTrue(answer.body().contains("\"count\":\"1\""), answer.body());
      } else {
        assertEquals(400, answer.statusCode(), answer.body());
      }
    }
    assertEquals("+".repeat(49) + "-".repeat(11), taken.toString());
  }

  @Test
  void largeAnswerIsWhole() throws Exception {
    ByteString value = ByteString.copyFrom(new byte[300_000]);
    put("large", value);
    HttpResponse<String> response = post("/v3/kv/range", "{\"key\":\"" + base64("large") + "\"}");
    assertEquals(200, response.statusCode());
    assertTrue(
        response.body().contains("\"value\":\"" + "A".repeat(400_000) + "\""),
        () -> response.body().substring(0, 300));
  }

  @Test
  void watchTellsEventsLineByLine() throws Exception {
    long revision = put("watched", ByteString.copyFromUtf8("old"));
    HttpResponse<Stream<String>> response =
        HTTP.send(
            request(
                    "/v3/watch",
                    "{\"create_request\":{\"key\":\"%s\",\"start_revision\":\"%d\"}}"
                        .formatted(base64("watched"), revision))
                .build(),
            HttpResponse.BodyHandlers.ofLines());
    assertEquals(200, response.statusCode());
    try (Stream<String> lines = response.body()) {
      var line = lines.iterator();
      assertTrue(line.next().matches("\\{\"result\":\\{\"header\":\\{[^}]*},\"created\":true}}"));
      String event =
          "{\"result\":{\"header\":{},\"events\":[{\"kv\":{\"key\":\"%s\",\"create_revision\":\"%d\","
              + "\"mod_revision\":\"%d\",\"version\":\"%d\",\"value\":\"%s\"}}]}}";
      assertEquals(
          event.formatted(base64("watched"), revision, revision, 1, base64("old")),
          line.next().replaceFirst("\\{\"cluster_id\"[^}]*}", "{}"));
      long next = put("watched", ByteString.copyFromUtf8("new"));
      assertEquals(
          event.formatted(base64("watched"), revision, next, 2, base64("new")),
          line.next().replaceFirst("\\{\"cluster_id\"[^}]*}", "{}"));
    }
  }

  @Test
  void keepAliveAnswersEachRequestAndEnds() throws Exception {
    answers(
        200,
        "{\"header\":{},\"ID\":\"77\",\"TTL\":\"60\"}",
        post("/v3/lease/grant", "{\"TTL\":\"60\",\"ID\":\"77\"}"));
    HttpResponse<String> response =
        post("/v3/lease/keepalive", "{\"ID\":\"77\"} {\"ID\":\"78\"}\n");
    assertEquals(200, response.statusCode());
    assertEquals(
        "{\"result\":{\"header\":{},\"ID\":\"77\",\"TTL\":\"60\"}}\n"
            + "{\"result\":{\"header\":{},\"ID\":\"78\"}}\n",
        response.body().replaceAll("\\{\"cluster_id\"[^}]*}", "{}"));
  }

  /** A caller that goes away must not get a lock that nobody would ever unlock. */
  @Test
  void closedConnectionGivesUpItsPlaceInTheQueue() throws Exception {
    answersLock(post("/v3/lock/lock", "{\"name\":\"" + base64("l") + "\"}"));
    String body = "{\"name\":\"" + base64("l") + "\"}";
    try (Socket socket = new Socket("127.0.0.1", lone.member.clientPorts().get(0))) {
      send(socket, "/v3/lock/lock", body);
      awaitKeys(2);
    }
    awaitKeys(1);
  }

  private static void answersLock(HttpResponse<String> response) {
    assertEquals(200, response.statusCode());
    assertTrue(response.body().contains("\"key\":"), response.body());
  }

  private static void awaitKeys(long expected) throws Exception {
    RangeRequest queue =
        RangeRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8("l/"))
            .setRangeEnd(ByteString.copyFromUtf8("l0"))
            .setCountOnly(true)
            .build();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (kv.range(queue).getCount() != expected) {
      assertTrue(System.nanoTime() < end, () -> "the queue does not come to " + expected);
    }
  }

  private static void send(Socket socket, String path, String body) throws Exception {
    socket
        .getOutputStream()
        .write(
            ("POST "
                    + path
                    + " HTTP/1.1\r\nHost: a\r\nContent-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body)
                .getBytes(StandardCharsets.US_ASCII));
  }

  /** As in etcd: who closes its half cancels what it waits for. */
  @Test
  void halfClosedClientIsToldThatItsCallIsCancelled() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", lone.member.clientPorts().get(0))) {
      send(socket, "/v3/election/observe", "{\"name\":\"bm9uZQ==\"}");
      socket.shutdownOutput();
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      assertTrue(in.readLine().startsWith("HTTP/1.1 499 "));
      String last = "";
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        last = line;
      }
      assertEquals(error(1, "context canceled"), last);
    }
  }

  /** An HTTP/1.0 client knows no chunks: the end of the connection ends its body. */
  @Test
  void streamForAnOldClientIsNotChunked() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", lone.member.clientPorts().get(0))) {
      String body = "{\"ID\":\"78\"}";
      socket
          .getOutputStream()
          .write(
              ("POST /v3/lease/keepalive HTTP/1.0\r\nContent-Length: "
                      + body.length()
                      + "\r\n\r\n"
                      + body)
                  .getBytes(StandardCharsets.US_ASCII));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(all.endsWith("\"ID\":\"78\"}}\n"), all);
      assertTrue(!all.contains("chunked"), all);
    }
  }

  @Test
  void watchesManyAtATimeOnConnectionsOfTheirOwn() throws Exception {
    CompletableFuture<?>[] all = new CompletableFuture<?>[50];
    for (int i = 0; i < all.length; i++) {
      String body = "{\"create_request\":{\"key\":\"" + base64("m" + i) + "\"}}";
      all[i] =
          HTTP.sendAsync(request("/v3/watch", body).build(), HttpResponse.BodyHandlers.ofLines())
              .thenAccept(
                  response -> {
                    try (Stream<String> lines = response.body()) {
                      assertNotNull(lines.iterator().next());
                    }
                  });
    }
    CompletableFuture.allOf(all).get(30, TimeUnit.SECONDS);
  }
}
