package io.tidemark.server.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import io.tidemark.server.edge.ProbeServer.Wire;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(30)
@ParameterizedClass
@EnumSource
final class HttpProbeTest {
  private final Wire wire;
  private ProbeServer server;

  HttpProbeTest(Wire wire) {
    this.wire = wire;
  }

  @BeforeEach
  void open() throws Exception {
    server = ProbeServer.open(wire);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> get(HttpClient.Version version, String path) throws Exception {
    return server
        .http(version)
        .send(
            HttpRequest.newBuilder(server.uri(path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Sends what is given and reads until the server closes. */
  private String exchange(String request) throws Exception {
    try (Socket socket = server.connect("http/1.1")) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void http1AndGrpcShareThePort() throws Exception {
    HttpResponse<String> page = get(HttpClient.Version.HTTP_1_1, "/hello?name=a%20b&name=c");
    assertEquals(200, page.statusCode());
    assertEquals("hello [a b, c]", page.body());
    assertEquals("*", page.headers().firstValue("access-control-allow-origin").orElseThrow());
    assertEquals(404, get(HttpClient.Version.HTTP_1_1, "/nothing").statusCode());
    ManagedChannel channel = server.client().build();
    BytesValue message = BytesValue.of(ByteString.copyFromUtf8("x"));
    assertEquals(
        message,
        ClientCalls.blockingUnaryCall(channel, ProbeServer.ECHO, CallOptions.DEFAULT, message));
    ProbeServer.stop(channel);
  }

  @Test
  void oddAddressesAreAnswered() throws Exception {
    assertEquals("HTTP/1.1 400 Bad Request", statusLine("GET /%zz HTTP/1.1"));
    assertEquals("HTTP/1.1 400 Bad Request", statusLine("GET /hello?a=%z HTTP/1.1"));
    assertEquals("HTTP/1.1 400 Bad Request", statusLine("GET /hello%2 HTTP/1.1"));
    assertEquals("HTTP/1.1 200 OK", statusLine("GET /hell%6f HTTP/1.1"));
    assertEquals("HTTP/1.1 200 OK", statusLine("GET http://any.host:1/hello?name=a HTTP/1.1"));
    assertEquals("HTTP/1.1 404 Not Found", statusLine("GET http://any.host HTTP/1.1"));
  }

  private String statusLine(String request) throws Exception {
    return exchange(request + "\r\nHost: a\r\nConnection: close\r\n\r\n")
        .lines()
        .findFirst()
        .orElseThrow();
  }

  private static void assertRefused(String status, String text, String response) {
    assertTrue(response.startsWith("HTTP/1.1 " + status + "\r\n"), response);
    assertTrue(response.toLowerCase(Locale.ROOT).contains("connection: close"), response);
    assertTrue(response.endsWith("\r\n\r\n" + text), response);
  }

  /** Go's limit, and so etcd's: 1 MiB for the head of a request. */
  @Test
  void headUpToOneMebibyteIsTaken() throws Exception {
    String close = "Host: a\r\nConnection: close\r\n";
    String large = "X: " + "x".repeat(1_000_000) + "\r\n";
    assertTrue(
        exchange("GET /hello HTTP/1.1\r\n" + close + large + "\r\n")
            .startsWith("HTTP/1.1 200 OK\r\n"));
    assertRefused(
        "431 Request Header Fields Too Large",
        "431 Request Header Fields Too Large",
        exchange("GET /hello HTTP/1.1\r\n" + close + large + large + "\r\n"));
    assertRefused(
        "431 Request Header Fields Too Large",
        "431 Request Header Fields Too Large",
        exchange("GET /hello?name=" + "x".repeat(2_000_000) + " HTTP/1.1\r\n" + close + "\r\n"));
  }

  @Test
  void hostIsDemandedOfHttp11() throws Exception {
    String get = "GET /hello HTTP/1.1\r\n";
    String missing = "400 Bad Request: missing required Host header";
    assertRefused("400 Bad Request", missing, exchange(get + "\r\n"));
    assertRefused(
        "400 Bad Request", "400 Bad Request", exchange(get + "Host: a\r\nHost: b\r\n\r\n"));
    assertRefused(
        "400 Bad Request",
        "400 Bad Request: malformed Host header",
        exchange(get + "Host: a b\r\n\r\n"));
    assertTrue(exchange("GET /hello HTTP/1.0\r\n\r\n").startsWith("HTTP/1.1 200 OK\r\n"));
    assertTrue(
        exchange(get + "Host: \r\nConnection: close\r\n\r\n").startsWith("HTTP/1.1 200 OK\r\n"));
    // in order, even when the second is refused at once
    String both = exchange(get + "Host: [::1]:80\r\n\r\n" + get + "\r\n");
    assertTrue(both.startsWith("HTTP/1.1 200 OK\r\n"), both);
    assertTrue(both.endsWith(missing), both);
  }

  /** A client may close its half right behind its requests; it gets its answers all the same. */
  @Test
  void halfClosedClientGetsItsAnswers() throws Exception {
    String get = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";
    for (String requests : List.of(get, get + get, "")) {
      try (Socket socket = server.connect("http/1.1")) {
        socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
        socket.shutdownOutput();
        String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        int answers = requests.length() / get.length();
        assertEquals(answers + 1, all.split("HTTP/1.1 200 OK\r\n", -1).length, all);
        assertEquals(answers + 1, all.split("hello \\[\\]", -1).length, all);
      }
    }
  }

  /** The JDK's client asks for an upgrade to h2c and goes on in HTTP/1.1 when it isn't granted. */
  @Test
  void upgradeToH2cIsAnsweredAsHttp1() throws Exception {
    HttpResponse<String> page = get(HttpClient.Version.HTTP_2, "/hello");
    // inside TLS there is nothing to upgrade: client and server agree at once
    assertEquals(
        wire == Wire.PLAIN ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2,
        page.version());
    assertEquals("hello []", page.body());
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    String all =
        exchange(
            "GET /hello?name=1 HTTP/1.1\r\nHost: a\r\n\r\n"
                + "OPTIONS /hello HTTP/1.1\r\nHost: a\r\n\r\n"
                + "GET /hello?name=3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    assertTrue(
        all.indexOf("hello [1]") > 0 && all.indexOf("hello [1]") < all.indexOf("hello [3]"), all);
    assertEquals(4, all.split("HTTP/1.1 200 OK", -1).length);
  }

  @Test
  void requestInSingleBytesIsUnderstood() throws Exception {
    try (Socket socket = server.connect("http/1.1")) {
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      for (byte b :
          "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII)) {
        out.write(b);
        out.flush();
      }
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(all.startsWith("HTTP/1.1 200 OK\r\n"), all);
    }
  }

  @Test
  void settingsComeBeforeTheClientSaysWhatItWants() throws Exception {
    try (FrameClient client = FrameClient.connect(server)) {
      FrameClient.Frame first = client.read();
      assertEquals(FrameClient.SETTINGS, first.type());
      assertEquals(0, first.flags());
    }
  }

  /** Prior knowledge of HTTP/2, but no gRPC: a page. */
  @Test
  void pageOverHttp2WithPriorKnowledge() throws Exception {
    try (FrameClient client = FrameClient.connect(server)) {
      // :method GET, :scheme http, :path /hello, :authority a
      byte[] block = {
        (byte) 0x82, (byte) 0x86, 0x04, 6, '/', 'h', 'e', 'l', 'l', 'o', 0x01, 1, 'a'
      };
      client.write(FrameClient.HEADERS, FrameClient.END_HEADERS | FrameClient.END_STREAM, 1, block);
      assertEquals("hello []", client.read(FrameClient.DATA).payload().toStringUtf8());
    }
  }

  /** Nothing is lost when a client stays silent after its preface until it is taken for gRPC. */
  @Test
  void silentHttp2ClientBecomesGrpc() throws Exception {
    try (FrameClient client = FrameClient.connect(server)) {
      assertEquals(0, client.read().payload().size());
      // grpc's own SETTINGS carry values
      FrameClient.Frame second = client.read();
      assertEquals(FrameClient.SETTINGS, second.type());
      assertTrue(second.payload().size() > 0);
    }
  }
}
