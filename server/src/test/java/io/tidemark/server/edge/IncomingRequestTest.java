package io.tidemark.server.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.tidemark.server.http.HttpAnswer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What unfinished HTTP requests may hold, and for how long. */
@Timeout(30)
final class IncomingRequestTest {
  private static final Duration NEVER = Duration.ofHours(1);
  private static final Duration SOON = Duration.ofMillis(200);
  private static final int ARRIVING_BYTES_MAX = 400_000;
  private static final String TOO_MANY =
      "HTTP/1.1 429 Too Many Requests\r\netcdserver: too many requests";

  // Opened by each test, with limits of its own.
  @SuppressWarnings("NullAway.Init")
  private ProbeServer server;

  private void open(Duration request, Duration idle) throws Exception {
    server =
        ProbeServer.open(
            new EdgeLimits(1 << 30, ARRIVING_BYTES_MAX, 1000),
            new EdgeSettings.Timings(NEVER, Duration.ofSeconds(2), request, idle));
  }

  @AfterEach
  void close() {
    server.close();
    assertEquals(0, server.edge.bounds().arriving().bytes());
  }

  private Socket connect(String start) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    send(socket, start);
    return socket;
  }

  private static void send(Socket socket, String text) throws Exception {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private static String post(String length) {
    return "POST /hello HTTP/1.1\r\nHost: a\r\n" + length + "\r\n\r\n";
  }

  private void awaitArriving(long bytes) throws InterruptedException {
    while (server.edge.bounds().arriving().bytes() < bytes) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Thread.onSpinWait();
    }
  }

  /** Status line and last line of the answer, behind which the connection ends. */
  private static String answer(Socket socket) throws Exception {
    List<String> lines =
        new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
            .lines()
            .toList();
    return lines.isEmpty() ? "" : lines.get(0) + "\r\n" + lines.get(lines.size() - 1);
  }

  private static void read(Socket socket, String end) throws Exception {
    InputStream in = socket.getInputStream();
    StringBuilder all = new StringBuilder();
    while (all.indexOf(end) < 0) {
      int next = in.read();
      assertTrue(next >= 0, all.toString());
      all.append((char) next);
    }
  }

  @Test
  void bodiesThatDontFitArePromisedInVain() throws Exception {
    open(NEVER, NEVER);
    String body = "x".repeat(120_000);
    try (Socket first = connect(post("Content-Length: 120001") + body);
        Socket second = connect(post("Content-Length: 120001") + body)) {
      awaitArriving(240_000);
      try (Socket third = connect(post("Content-Length: 200000"))) {
        assertEquals(TOO_MANY, answer(third));
      }
      // small ones pass, and what is whole makes room
      try (Socket small = connect(post("Connection: close\r\nContent-Length: 1") + "x")) {
        assertEquals("HTTP/1.1 200 OK\r\nhello []", answer(small));
      }
      send(first, "x");
      read(first, "hello []");
      String close = "Connection: close\r\nContent-Length: 200000";
      try (Socket third = connect(post(close) + "x".repeat(200_000))) {
        assertEquals("HTTP/1.1 200 OK\r\nhello []", answer(third));
      }
      send(second, "x");
      read(second, "hello []");
      assertEquals(0, server.edge.bounds().arriving().bytes());
    }
  }

  @Test
  void chunksBeyondTheBudgetAreRefused() throws Exception {
    open(NEVER, NEVER);
    try (Socket first = connect(post("Content-Length: 300001") + "x".repeat(300_000))) {
      awaitArriving(300_000);
      String chunk = "ea60\r\n" + "x".repeat(60_000) + "\r\n";
      try (Socket second = connect(post("Transfer-Encoding: chunked") + chunk.repeat(3))) {
        assertEquals(TOO_MANY, answer(second));
      }
      send(first, "x");
      read(first, "hello []");
    }
  }

  @Test
  void heldBytesStayUnderTheBudgetWhateverComes() throws Exception {
    open(NEVER, NEVER);
    try (Socket head = connect("GET /hello HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(300_000))) {
      awaitArriving(300_000);
      for (int i = 0; i < 20; i++) {
        try (Socket another = connect(post("Content-Length: 1500000"))) {
          assertEquals(TOO_MANY, answer(another));
        }
      }
      assertTrue(server.edge.bounds().arriving().bytes() <= ARRIVING_BYTES_MAX);
    }
  }

  @Test
  void bodiesLargerThanAnyAreRefusedBeforeTheyCome() throws Exception {
    open(NEVER, NEVER);
    String refusal = "HTTP/1.1 413 Request Entity Too Large\r\n413 Request Entity Too Large";
    try (Socket client = connect(post("Content-Length: 100000000"))) {
      assertEquals(refusal, answer(client));
    }
  }

  @Test
  void requestsThatAreNeverWholeAreGivenUp() throws Exception {
    open(SOON, NEVER);
    String late = "HTTP/1.1 408 Request Timeout\r\n408 Request Timeout";
    for (String start :
        List.of(
            "GET /hel",
            "GET /hello HTTP/1.1\r\nHost: a\r\nX: ",
            post("Content-Length: 10") + "xxx",
            post("Transfer-Encoding: chunked") + "3\r\nxxx\r\n")) {
      try (Socket client = connect(start)) {
        assertEquals(late, answer(client));
      }
    }
    // the second of a connection
    try (Socket client = connect("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")) {
      read(client, "hello []");
      send(client, "GET /hel");
      assertEquals(late, answer(client));
    }
  }

  @Test
  void unfinishedPagesOverHttp2AreGivenUp() throws Exception {
    open(SOON, NEVER);
    try (FrameClient client = FrameClient.connect(server)) {
      client.open(
          1,
          new DefaultHttp2Headers()
              .method("POST")
              .scheme("http")
              .path("/hello")
              .authority("a")
              .add("content-type", "text/plain"));
      client.write(FrameClient.DATA, 0, 1, new byte[10]);
      var refusal = client.read(FrameClient.HEADERS);
      assertEquals("408", client.fields(refusal).status().toString());
    }
  }

  @Test
  void idleConnectionsAreClosed() throws Exception {
    open(NEVER, SOON);
    try (Socket client = connect("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")) {
      read(client, "hello []");
      assertEquals("", answer(client));
    }
  }

  @Test
  void whatIsAnsweredIsNotCut() throws Exception {
    open(SOON, SOON);
    try (Socket slow = connect("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")) {
      var answer = server.slowPages.take();
      // others that come later are late meanwhile, more than once
      for (int i = 0; i < 3; i++) {
        try (Socket late = connect("GET /hel")) {
          assertEquals("HTTP/1.1 408 Request Timeout\r\n408 Request Timeout", answer(late));
        }
      }
      answer.complete(HttpAnswer.text(200, "at last"));
      read(slow, "at last");
    }
  }
}
