package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code --listen-client-http-urls}: pages have an address of their own, and calls theirs. */
@Timeout(60)
class HttpUrlsTest {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static LoneMember lone;
  private static int pages;
  private static int calls;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      pages = socket.getLocalPort();
    }
    lone = LoneMember.start(data, "--listen-client-http-urls=http://127.0.0.1:" + pages);
    calls = lone.member.clientPorts().get(0);
  }

  @AfterAll
  static void stop() {
    lone.close();
  }

  private static HttpResponse<String> get(int port, String path)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
        BodyHandlers.ofString());
  }

  private static KVGrpc.KVBlockingStub kv(ManagedChannel channel) {
    return KVGrpc.newBlockingStub(channel);
  }

  @Test
  void clientPortsAreTheOnesForCalls() {
    assertEquals(1, lone.member.clientPorts().size());
  }

  @Test
  void everyPageHasMoved() throws Exception {
    for (String path :
        new String[] {"/health", "/livez", "/readyz", "/metrics", "/version", "/tidemark/status"}) {
      assertEquals(200, get(pages, path).statusCode(), path);
    }
    assertEquals(200, get(pages, "/console/").statusCode());
  }

  @Test
  void jsonCallsReachTheSameData() throws Exception {
    HttpResponse<String> put =
        HTTP.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + pages + "/v3/kv/put"))
                .POST(BodyPublishers.ofString("{\"key\":\"YQ==\",\"value\":\"Yg==\"}"))
                .build(),
            BodyHandlers.ofString());
    assertEquals(200, put.statusCode(), put.body());
    ByteString key = ByteString.copyFromUtf8("a");
    assertEquals(
        "b",
        kv(lone.channel)
            .range(RangeRequest.newBuilder().setKey(key).build())
            .getKvs(0)
            .getValue()
            .toStringUtf8());
  }

  /** What comes back is HTTP/2's way of ending a connection, as from etcd. */
  @Test
  void pagesAreGoneFromTheCallsPort() throws Exception {
    for (String path : new String[] {"/health", "/metrics", "/v3/kv/range", "/console/"}) {
      assertThrows(IOException.class, () -> get(calls, path), path);
    }
    try (Socket socket = new Socket("127.0.0.1", calls)) {
      socket
          .getOutputStream()
          .write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      String answer = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      assertFalse(answer.startsWith("HTTP/1"), answer);
      assertFalse(answer.contains("etcd_server"), answer);
    }
  }

  @Test
  void grpcIsNotThereOnThePagesPort() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", pages).usePlaintext().build();
    try {
      PutRequest put = PutRequest.newBuilder().setKey(ByteString.copyFromUtf8("x")).build();
      StatusRuntimeException refused =
          assertThrows(StatusRuntimeException.class, () -> kv(channel).put(put));
      assertEquals(Status.Code.UNIMPLEMENTED, refused.getStatus().getCode());
      assertTrue(
          String.valueOf(refused.getStatus().getDescription()).contains("404"),
          refused.getStatus().toString());
    } finally {
      channel.shutdownNow();
    }
  }
}
