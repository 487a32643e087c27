package io.tidemark.server.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class HttpProbeTest {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int ACK = 1;

  private ProbeServer server;

  @BeforeEach
  void open() throws Exception {
    server = ProbeServer.plain();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private HttpResponse<String> get(HttpClient.Version version, String path) throws Exception {
    return HttpClient.newBuilder()
        .version(version)
        .build()
        .send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
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
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      OutputStream out = socket.getOutputStream();
      out.write((request + "\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      return in.readLine();
    }
  }

  /** The JDK's client asks for an upgrade to h2c and goes on in HTTP/1.1 when it isn't granted. */
  @Test
  void upgradeToH2cIsAnsweredAsHttp1() throws Exception {
    HttpResponse<String> page = get(HttpClient.Version.HTTP_2, "/hello");
    assertEquals(HttpClient.Version.HTTP_1_1, page.version());
    assertEquals("hello []", page.body());
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket
          .getOutputStream()
          .write(
              ("GET /hello?name=1 HTTP/1.1\r\nHost: a\r\n\r\n"
                      + "OPTIONS /hello HTTP/1.1\r\nHost: a\r\n\r\n"
                      + "GET /hello?name=3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(
          all.indexOf("hello [1]") > 0 && all.indexOf("hello [1]") < all.indexOf("hello [3]"), all);
      assertEquals(4, all.split("HTTP/1.1 200 OK", -1).length);
    }
  }

  @Test
  void requestInSingleBytesIsUnderstood() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
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
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(PREFACE);
      writeFrame(socket.getOutputStream(), SETTINGS, 0, new byte[0]);
      Frame first = readFrame(socket.getInputStream());
      assertEquals(SETTINGS, first.type());
      assertEquals(0, first.flags());
    }
  }

  /** Twenty pings at the allowed pace, without any call: each is acknowledged, no GOAWAY. */
  @Test
  void pingsWithoutCallsAreWelcome() throws Exception {
    assertPingsAreWelcome(new byte[0]);
  }

  /** The same beside a call that waits for its answer. */
  @Test
  void pingsDuringACallAreWelcome() throws Exception {
    String path = "/" + ProbeServer.NEVER.getFullMethodName();
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    // :method POST, :scheme http, then :path, :authority, content-type and te as literals
    block.write(new byte[] {(byte) 0x83, (byte) 0x86});
    literal(block, new byte[] {0x04}, path);
    literal(block, new byte[] {0x01}, "a");
    literal(block, new byte[] {0x0f, 0x10}, "application/grpc");
    literal(block, new byte[] {0x00, 2, 't', 'e'}, "trailers");
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    frames.write(new byte[] {0, 0, (byte) block.size(), 1, 4, 0, 0, 0, 1});
    block.writeTo(frames);
    // an empty message; END_STREAM
    frames.write(new byte[] {0, 0, 5, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0});
    assertPingsAreWelcome(frames.toByteArray());
    assertNotNull(server.unanswered.poll(), "the call came in");
  }

  private static void literal(ByteArrayOutputStream block, byte[] name, String value)
      throws IOException {
    block.write(name);
    block.write(value.length());
    block.write(value.getBytes(StandardCharsets.US_ASCII));
  }

  private void assertPingsAreWelcome(byte[] beforehand) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      out.write(PREFACE);
      writeFrame(out, SETTINGS, 0, new byte[0]);
      out.write(beforehand);
      int acknowledged = 0;
      for (int i = 0; i < 20; i++) {
        writeFrame(out, PING, 0, new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) i});
        Frame frame = readFrame(in);
        // the server measures the path by pings of its own
        while (frame.type() != PING || frame.flags() != ACK) {
          assertTrue(frame.type() != GOAWAY, "GOAWAY");
          frame = readFrame(in);
        }
        assertEquals(i, frame.payload().byteAt(7));
        acknowledged++;
        // counted from the answer: the server takes a ping in before it answers, however late
        socket.setSoTimeout(60);
        waitForSilence(in);
        socket.setSoTimeout(10_000);
      }
      assertEquals(20, acknowledged);
    }
  }

  /** Pings far faster than allowed end the connection, as etcd does. */
  @Test
  void floodOfPingsIsSentAway() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(PREFACE);
      writeFrame(out, SETTINGS, 0, new byte[0]);
      for (int i = 0; i < 20; i++) {
        writeFrame(out, PING, 0, new byte[8]);
      }
      Frame frame = readFrame(socket.getInputStream());
      while (frame.type() != GOAWAY) {
        frame = readFrame(socket.getInputStream());
      }
      assertTrue(frame.payload().toStringUtf8().contains("too_many_pings"));
    }
  }

  /** Prior knowledge of HTTP/2, but no gRPC: a page. */
  @Test
  void pageOverHttp2WithPriorKnowledge() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(PREFACE);
      writeFrame(out, SETTINGS, 0, new byte[0]);
      // :method GET, :scheme http, :path /hello, :authority a; END_STREAM and END_HEADERS
      byte[] block = {
        (byte) 0x82, (byte) 0x86, 0x04, 6, '/', 'h', 'e', 'l', 'l', 'o', 0x01, 1, 'a'
      };
      out.write(new byte[] {0, 0, (byte) block.length, 1, 5, 0, 0, 0, 1});
      out.write(block);
      out.flush();
      Frame frame = readFrame(socket.getInputStream());
      while (frame.type() != 0) {
        frame = readFrame(socket.getInputStream());
      }
      assertEquals("hello []", frame.payload().toStringUtf8());
    }
  }

  /** Nothing is lost when a client stays silent after its preface until it is taken for gRPC. */
  @Test
  void silentHttp2ClientBecomesGrpc() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(5_000);
      OutputStream out = socket.getOutputStream();
      out.write(PREFACE);
      writeFrame(out, SETTINGS, 0, new byte[0]);
      Frame ours = readFrame(socket.getInputStream());
      assertEquals(0, ours.payload().size());
      // grpc's own SETTINGS carry values
      Frame second = readFrame(socket.getInputStream());
      assertEquals(SETTINGS, second.type());
      assertTrue(second.payload().size() > 0);
    }
  }

  private record Frame(int type, int flags, ByteString payload) {}

  private static void writeFrame(OutputStream out, int type, int flags, byte[] payload)
      throws Exception {
    byte[] frame = new byte[9 + payload.length];
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    System.arraycopy(payload, 0, frame, 9, payload.length);
    out.write(frame);
    out.flush();
  }

  private static Frame readFrame(InputStream in) throws Exception {
    DataInputStream data = new DataInputStream(in);
    int length = data.readUnsignedByte() << 16 | data.readUnsignedShort();
    int type = data.readUnsignedByte();
    int flags = data.readUnsignedByte();
    data.readInt();
    byte[] payload = new byte[length];
    data.readFully(payload);
    return new Frame(type, flags, ByteString.copyFrom(payload));
  }

  private static void waitForSilence(InputStream in) throws Exception {
    try {
      Frame frame = readFrame(in);
      assertTrue(frame.type() != GOAWAY, "GOAWAY");
    } catch (java.net.SocketTimeoutException quiet) {
      // nothing came for as long as pings have to be apart
    }
  }
}
