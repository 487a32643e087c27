package io.tidemark.server.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
final class TlsProbeTest {
  private static final BytesValue MESSAGE = BytesValue.of(ByteString.copyFromUtf8("x"));

  @ParameterizedTest
  @CsvSource({"rsa.crt,rsa-pkcs1.key", "rsa.crt,rsa-pkcs8.key", "ec.crt,ec-sec1.key"})
  void grpcHttp1AndHttp2ShareTheTlsPort(String certificate, String key) throws Exception {
    try (ProbeServer server =
        ProbeServer.tls(new TlsFiles(ProbeTls.file(certificate), ProbeTls.file(key), null))) {
      ManagedChannel channel = channel(server, null);
      assertEquals(MESSAGE, echo(channel));
      ProbeServer.stop(channel);
      for (HttpClient.Version version : HttpClient.Version.values()) {
        HttpResponse<String> page =
            HttpClient.newBuilder()
                .version(version)
                .sslContext(ProbeTls.trusting())
                .build()
                .send(
                    HttpRequest.newBuilder(
                            URI.create("https://localhost:" + server.port() + "/hello"))
                        .build(),
                    HttpResponse.BodyHandlers.ofString());
        assertEquals("hello []", page.body());
        assertEquals(version, page.version());
      }
    }
  }

  @Test
  void clientCertificateIsDemanded() throws Exception {
    TlsFiles files =
        new TlsFiles(
            ProbeTls.file("rsa.crt"), ProbeTls.file("rsa-pkcs1.key"), ProbeTls.file("ca.crt"));
    try (ProbeServer server = ProbeServer.tls(files)) {
      ManagedChannel known = channel(server, "client");
      assertEquals(MESSAGE, echo(known));
      ManagedChannel stranger = channel(server, null);
      StatusRuntimeException e = assertThrows(StatusRuntimeException.class, () -> echo(stranger));
      assertEquals(Status.Code.UNAVAILABLE, e.getStatus().getCode());
      ProbeServer.stop(known);
      ProbeServer.stop(stranger);
    }
  }

  /** A renewed certificate is used without a restart; a broken one doesn't replace a good one. */
  @Test
  void renewedFilesAreTakenUp(@TempDir Path dir) throws Exception {
    Path certificate = Files.copy(ProbeTls.file("rsa.crt"), dir.resolve("server.crt"));
    Path key = Files.copy(ProbeTls.file("rsa-pkcs1.key"), dir.resolve("server.key"));
    try (LiveTls tls = new LiveTls("probe", new TlsFiles(certificate, key, null))) {
      SslContext first = tls.context();
      tls.look();
      assertSame(first, tls.context());
      Files.writeString(certificate, "half written");
      Files.setLastModifiedTime(certificate, FileTime.fromMillis(1_000));
      tls.look();
      assertSame(first, tls.context());
      Files.copy(ProbeTls.file("ec.crt"), certificate, StandardCopyOption.REPLACE_EXISTING);
      Files.copy(ProbeTls.file("ec-sec1.key"), key, StandardCopyOption.REPLACE_EXISTING);
      Files.setLastModifiedTime(certificate, FileTime.fromMillis(2_000));
      tls.look();
      assertNotSame(first, tls.context());
    }
  }

  @Test
  void edwardsKeyIsRead() throws Exception {
    assertEquals("EdDSA", PrivateKeyFile.read(ProbeTls.file("ed25519-pkcs8.key")).getAlgorithm());
  }

  private static BytesValue echo(ManagedChannel channel) {
    return ClientCalls.blockingUnaryCall(
        channel,
        ProbeServer.ECHO,
        CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS),
        MESSAGE);
  }

  private static ManagedChannel channel(ProbeServer server, @Nullable String identity)
      throws Exception {
    SslContextBuilder tls =
        GrpcSslContexts.configure(
            SslContextBuilder.forClient().trustManager(ProbeTls.file("ca.crt").toFile()));
    if (identity != null) {
      tls.keyManager(
          ProbeTls.file(identity + ".crt").toFile(), ProbeTls.file(identity + ".key").toFile());
    }
    return NettyChannelBuilder.forAddress("localhost", server.port())
        .sslContext(tls.build())
        .build();
  }

  /** Version and suite that a client gets which can do {@code offered}. */
  private static String agreed(ProbeServer server, String... offered) throws Exception {
    try (SSLSocket socket =
        (SSLSocket)
            ProbeTls.trusting().getSocketFactory().createSocket("localhost", server.port())) {
      socket.setEnabledProtocols(offered);
      socket.startHandshake();
      return socket.getSession().getProtocol() + " " + socket.getSession().getCipherSuite();
    }
  }

  private static ProbeServer choosy(List<String> protocols, List<String> ciphers) throws Exception {
    return ProbeServer.tls(
        new TlsFiles(
            ProbeTls.file("rsa.crt"), ProbeTls.file("rsa-pkcs8.key"), null, protocols, ciphers));
  }

  @Test
  void versionsAndSuitesAreThoseThatWereChosen() throws Exception {
    String suite = "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384";
    try (ProbeServer server = choosy(List.of("TLSv1.2"), List.of(suite))) {
      assertEquals("TLSv1.2 " + suite, agreed(server, "TLSv1.3", "TLSv1.2"));
      assertThrows(SSLException.class, () -> agreed(server, "TLSv1.3"));
    }
    try (ProbeServer server = choosy(List.of("TLSv1.3"), List.of())) {
      assertThrows(SSLException.class, () -> agreed(server, "TLSv1.2"));
    }
    try (ProbeServer server = choosy(List.of("TLSv1.3", "TLSv1.2"), List.of(suite))) {
      assertEquals("TLSv1.2 " + suite, agreed(server, "TLSv1.2"));
      assertEquals("TLSv1.3", agreed(server, "TLSv1.3", "TLSv1.2").substring(0, 7));
    }
    assertEquals(
        "TLS files of the client port: unknown cipher suite TLS_NO_SUCH",
        assertThrows(
                IOException.class, () -> choosy(List.of("TLSv1.2"), List.of("TLS_NO_SUCH")).close())
            .getMessage());
  }
}
