package io.tidemark.server.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import io.netty.handler.ssl.SslContextBuilder;
import io.tidemark.clusterconfig.tls.TlsSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
final class TlsProbeTest {
  private static final BytesValue MESSAGE = BytesValue.of(ByteString.copyFromUtf8("x"));

  @ParameterizedTest
  @CsvSource({"rsa.crt,rsa-pkcs1.key", "rsa.crt,rsa-pkcs8.key", "ec.crt,ec-sec1.key"})
  void grpcHttp1AndHttp2ShareTheTlsPort(String certificate, String key) throws Exception {
    try (ProbeServer server =
        ProbeServer.tls(new TlsSettings(ProbeTls.files(certificate, key, null)))) {
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
    TlsSettings demanding = new TlsSettings(ProbeTls.files("rsa.crt", "rsa-pkcs1.key", "ca.crt"));
    try (ProbeServer server = ProbeServer.tls(demanding)) {
      ManagedChannel known = channel(server, "client");
      assertEquals(MESSAGE, echo(known));
      ManagedChannel stranger = channel(server, null);
      StatusRuntimeException e = assertThrows(StatusRuntimeException.class, () -> echo(stranger));
      assertEquals(Status.Code.UNAVAILABLE, e.getStatus().getCode());
      ProbeServer.stop(known);
      ProbeServer.stop(stranger);
    }
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
        new TlsSettings(ProbeTls.files("rsa.crt", "rsa-pkcs8.key", null), protocols, ciphers));
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
