package io.tidemark.server.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.tidemark.server.http.HttpAnswer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What open calls, and connections, may hold. */
@Timeout(30)
final class OpenCallsTest {
  private static final int FIELD_BYTES = 6000;
  private static final int FITTING = 10;
  private static final String STREAM = "/" + ProbeServer.ECHO_STREAM.getFullMethodName();

  /** A call of {@link #headers}. */
  private static final long CALL_BYTES =
      OpenBytes.CALL_BYTES
          + bytes(":method", "POST")
          + bytes(":scheme", "http")
          + bytes(":path", STREAM)
          + bytes(":authority", "a")
          + bytes("content-type", "application/grpc")
          + bytes("te", "trailers")
          + bytes("junk", "x".repeat(FIELD_BYTES));

  private static final long BYTES_MAX = FITTING * CALL_BYTES;

  private ProbeServer server;

  @BeforeEach
  void open() throws Exception {
    server =
        ProbeServer.open(new EdgeLimits(BYTES_MAX, 1 << 20, 3), EdgeSettings.Timings.defaults());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static long bytes(String name, String value) {
    return name.length() + value.length() + 32;
  }

  private static Http2Headers headers(String path, String contentType) {
    return new DefaultHttp2Headers()
        .method("POST")
        .scheme("http")
        .path(path)
        .authority("a")
        .add("content-type", contentType)
        .add("te", "trailers")
        .add("junk", "x".repeat(FIELD_BYTES));
  }

  private long held() {
    return server.edge.bounds().open().bytes();
  }

  @Test
  void streamsBeyondTheBudgetAreRefusedAndForgotten() throws Exception {
    try (FrameClient client = FrameClient.connect(server)) {
      for (int i = 0; i < FITTING; i++) {
        client.open(2 * i + 1, headers(STREAM, "application/grpc"));
        assertEquals("200", client.fields(client.read(FrameClient.HEADERS)).status().toString());
      }
      assertEquals(BYTES_MAX, held());
      for (int i = FITTING; i < 3 * FITTING; i++) {
        int id = 2 * i + 1;
        client.open(id, headers(STREAM, "application/grpc"));
        FrameClient.Frame refusal = client.read(FrameClient.HEADERS);
        assertEquals(id, refusal.stream());
        assertEquals(FrameClient.END_STREAM | FrameClient.END_HEADERS, refusal.flags());
        assertEquals(
            new DefaultHttp2Headers()
                .status("200")
                .add("content-type", "application/grpc")
                .add("grpc-status", "8")
                .add("grpc-message", "etcdserver: too many requests"),
            client.fields(refusal));
        // without it the connection would remember the half that the client leaves open
        FrameClient.Frame reset = client.read(FrameClient.RST_STREAM);
        assertEquals(id, reset.stream());
        assertEquals(ByteString.copyFrom(new byte[4]), reset.payload());
        // what the client sent before it knew
        client.write(FrameClient.DATA, 0, id, new byte[100]);
      }
      assertEquals(BYTES_MAX, held());
      assertEquals(FITTING, server.streams.size());
      // one ends, another one fits
      client.write(FrameClient.RST_STREAM, 0, 1, new byte[] {0, 0, 0, 8});
      server.streams.take().cancelled.get(10, TimeUnit.SECONDS);
      int next = 6 * FITTING + 1;
      client.open(next, headers(STREAM, "application/grpc"));
      FrameClient.Frame taken = client.read(FrameClient.HEADERS);
      assertEquals(next, taken.stream());
      assertEquals(FrameClient.END_HEADERS, taken.flags());
    }
    server.close();
    assertEquals(0, held());
  }

  @Test
  void clientsHearTheExactStatus() throws Exception {
    ManagedChannel channel = server.client().build();
    try (FrameClient client = FrameClient.connect(server)) {
      for (int i = 0; i < FITTING; i++) {
        client.open(2 * i + 1, headers(STREAM, "application/grpc"));
        server.streams.take();
      }
      StatusRuntimeException refused =
          assertThrows(
              StatusRuntimeException.class,
              () ->
                  ClientCalls.blockingUnaryCall(
                      channel,
                      ProbeServer.ECHO,
                      CallOptions.DEFAULT,
                      BytesValue.getDefaultInstance()));
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getStatus().getCode());
      assertEquals("etcdserver: too many requests", refused.getStatus().getDescription());
    } finally {
      ProbeServer.stop(channel);
    }
  }

  @Test
  void pagesOverHttp2AreCountedToo() throws Exception {
    try (FrameClient client = FrameClient.connect(server)) {
      for (int i = 0; i < FITTING; i++) {
        client.open(2 * i + 1, headers("/hello", "text/plain"));
      }
      client.open(2 * FITTING + 1, headers("/hello", "text/plain").add("more", "x"));
      FrameClient.Frame refusal = client.read(FrameClient.HEADERS);
      while (refusal.stream() != 2 * FITTING + 1) {
        client.fields(refusal);
        refusal = client.read(FrameClient.HEADERS);
      }
      assertEquals("429", client.fields(refusal).status().toString());
    }
    server.close();
    assertEquals(0, held());
  }

  @Test
  void pagesOverHttp1AreCountedWhileTheyAreAnswered() throws Exception {
    try (Socket first = connect();
        Socket second = connect()) {
      String head = "GET /slow HTTP/1.1\r\nHost: a\r\nJunk: " + "x".repeat(100_000) + "\r\n\r\n";
      send(first, head);
      var answer = server.slowPages.take();
      send(second, head);
      assertEquals(
          List.of("HTTP/1.1 429 Too Many Requests", "etcdserver: too many requests"),
          firstAndLast(second));
      answer.complete(HttpAnswer.text(200, "at last"));
      read(first, "at last");
      assertEquals(0, held());
    }
  }

  @Test
  void oneConnectionTooManyIsClosedUnread() throws Exception {
    try (Socket first = connect();
        Socket second = connect();
        Socket third = connect()) {
      for (Socket open : List.of(first, second, third)) {
        send(open, "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
        read(open, "hello []");
      }
      try (Socket fourth = connect()) {
        assertEquals(-1, fourth.getInputStream().read());
      }
      first.close();
      while (server.edge.connectionCount() > 2) {
        Thread.onSpinWait();
      }
      try (Socket fourth = connect()) {
        send(fourth, "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
        read(fourth, "hello []");
      }
    }
  }

  private Socket connect() throws Exception {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  private static void send(Socket socket, String text) throws Exception {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Reads on until that has come. */
  private static void read(Socket socket, String end) throws Exception {
    InputStream in = socket.getInputStream();
    StringBuilder all = new StringBuilder();
    while (all.indexOf(end) < 0) {
      int next = in.read();
      assertTrue(next >= 0, all.toString());
      all.append((char) next);
    }
  }

  private static List<String> firstAndLast(Socket socket) throws Exception {
    List<String> lines =
        new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
            .lines()
            .toList();
    return List.of(lines.get(0), lines.get(lines.size() - 1));
  }
}
