package io.tidemark.server.edge;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.Int64Value;
import com.google.protobuf.MessageLite;
import com.google.protobuf.StringValue;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.lite.ProtoLiteUtils;
import io.tidemark.clusterconfig.tls.TlsSettings;
import io.tidemark.server.edge.EdgeSettings.Keepalive;
import io.tidemark.server.http.HttpAnswer;
import io.tidemark.server.http.HttpQuestion;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Request;
import io.tidemark.server.rpc.Spliced;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** An edge with small services that show what the transport does. */
final class ProbeServer implements AutoCloseable {
  static final int MESSAGE_BYTES_MAX = 2 * 1024 * 1024;

  static final MethodDescriptor<BytesValue, BytesValue> ECHO =
      method("Echo", MethodType.UNARY, BytesValue.getDefaultInstance());
  static final MethodDescriptor<StringValue, BytesValue> FAIL =
      method("Fail", MethodType.UNARY, StringValue.getDefaultInstance());
  static final MethodDescriptor<Int64Value, BytesValue> BIG =
      method("Big", MethodType.UNARY, Int64Value.getDefaultInstance());
  static final MethodDescriptor<BytesValue, BytesValue> NEVER =
      method("Never", MethodType.UNARY, BytesValue.getDefaultInstance());
  static final MethodDescriptor<BytesValue, BytesValue> ECHO_STREAM =
      method("EchoStream", MethodType.BIDI_STREAMING, BytesValue.getDefaultInstance());
  static final MethodDescriptor<BytesValue, BytesValue> FLOOD =
      method("Flood", MethodType.BIDI_STREAMING, BytesValue.getDefaultInstance());

  /** Least pause between a client's pings, short so that probes take little time. */
  static final Duration PING_MIN = Duration.ofMillis(50);

  /** What lies between client and server. */
  enum Wire {
    PLAIN,
    TLS
  }

  private final Wire wire;

  /** Calls to NEVER in order of arrival. */
  final BlockingQueue<Reply> unanswered = new LinkedBlockingQueue<>();

  /** Open ECHO_STREAM calls. */
  final BlockingQueue<OpenStream> streams = new LinkedBlockingQueue<>();

  /** Answers to {@code /slow} that are still to be given. */
  final BlockingQueue<CompletableFuture<HttpAnswer>> slowPages = new LinkedBlockingQueue<>();

  final AtomicLong floodBytes = new AtomicLong();
  final Edge edge;

  /** One call to ECHO_STREAM, as the server sees it. */
  static final class OpenStream extends ServerCall.Listener<Request> {
    final ServerCall<Request, Spliced> call;
    final CompletableFuture<Void> halfClosed = new CompletableFuture<>();
    final CompletableFuture<Void> cancelled = new CompletableFuture<>();

    OpenStream(ServerCall<Request, Spliced> call) {
      this.call = call;
    }

    @Override
    public void onMessage(Request message) {
      call.sendMessage(Spliced.of(message.bytes()));
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      halfClosed.complete(null);
    }

    @Override
    public void onCancel() {
      cancelled.complete(null);
    }
  }

  private ProbeServer(Wire wire, EdgeSettings settings) throws IOException {
    this.wire = wire;
    Methods methods =
        new Methods(MESSAGE_BYTES_MAX)
            .add(ECHO, BytesValue.parser(), (q, reply) -> reply.send(Spliced.of(q.toByteString())))
            .add(
                FAIL,
                StringValue.parser(),
                (q, reply) -> reply.fail(Status.FAILED_PRECONDITION.withDescription(q.getValue())))
            .add(BIG, Int64Value.parser(), (q, reply) -> reply.send(Spliced.of(zeros(q))))
            .add(NEVER, BytesValue.parser(), (q, reply) -> unanswered.add(reply))
            .addStream(ECHO_STREAM, (call, headers) -> openStream(call))
            .addStream(FLOOD, (call, headers) -> new Flood(call));
    edge = Edge.open(settings, methods, this::page);
  }

  static ProbeServer open(Wire wire) throws IOException {
    return open(wire, new Keepalive(PING_MIN, Duration.ofHours(2), Duration.ofSeconds(20)));
  }

  static ProbeServer open(Wire wire, Keepalive keepalive) throws IOException {
    return new ProbeServer(
        wire,
        wire == Wire.TLS
            ? settings("https://127.0.0.1:0", ProbeTls.server(), keepalive)
            : settings("http://127.0.0.1:0", null, keepalive));
  }

  static ProbeServer tls(TlsSettings files) throws IOException {
    return new ProbeServer(Wire.TLS, settings("https://127.0.0.1:0", files, Keepalive.defaults()));
  }

  /** Without TLS. */
  static ProbeServer open(EdgeLimits limits, EdgeSettings.Timings timings) throws IOException {
    return new ProbeServer(
        Wire.PLAIN, settings("http://127.0.0.1:0", null, Keepalive.defaults(), limits, timings));
  }

  private static EdgeSettings settings(String url, @Nullable TlsSettings tls, Keepalive keepalive) {
    return settings(
        url,
        tls,
        keepalive,
        EdgeLimits.ofProcess(MESSAGE_BYTES_MAX),
        EdgeSettings.Timings.defaults());
  }

  private static EdgeSettings settings(
      String url,
      @Nullable TlsSettings tls,
      Keepalive keepalive,
      EdgeLimits limits,
      EdgeSettings.Timings timings) {
    return new EdgeSettings(
        "probe",
        List.of(URI.create(url)),
        List.of(),
        tls,
        MESSAGE_BYTES_MAX,
        Integer.MAX_VALUE,
        keepalive,
        timings,
        limits,
        HttpAccess.anybody());
  }

  int port() {
    return edge.ports().get(0);
  }

  NettyChannelBuilder client() throws IOException {
    NettyChannelBuilder client =
        NettyChannelBuilder.forAddress("localhost", port())
            .maxInboundMessageSize(Integer.MAX_VALUE);
    return wire == Wire.PLAIN
        ? client.usePlaintext()
        : client.sslContext(
            GrpcSslContexts.forClient().trustManager(ProbeTls.file("ca.crt").toFile()).build());
  }

  HttpClient http(HttpClient.Version version) throws Exception {
    return HttpClient.newBuilder().version(version).sslContext(ProbeTls.trusting()).build();
  }

  URI uri(String path) {
    return URI.create((wire == Wire.TLS ? "https" : "http") + "://localhost:" + port() + path);
  }

  /**
   * A connection for bytes written by hand.
   *
   * @param protocol what a TLS client says that it speaks
   */
  Socket connect(String protocol) throws Exception {
    InetAddress host = InetAddress.getLoopbackAddress();
    if (wire == Wire.PLAIN) {
      return new Socket(host, port());
    }
    SSLSocket socket =
        (SSLSocket) ProbeTls.trusting().getSocketFactory().createSocket(host, port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  @Override
  public void close() {
    edge.close();
  }

  static void stop(ManagedChannel channel) {
    channel.shutdownNow();
  }

  private ServerCall.Listener<Request> openStream(ServerCall<Request, Spliced> call) {
    OpenStream stream = new OpenStream(call);
    call.sendHeaders(new Metadata());
    call.request(1);
    streams.add(stream);
    return stream;
  }

  private CompletionStage<HttpAnswer> page(HttpQuestion question) {
    if (question.path().equals("/slow")) {
      CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
      slowPages.add(answer);
      return answer;
    }
    return CompletableFuture.completedFuture(
        question.path().equals("/hello")
            ? HttpAnswer.text(200, "hello " + question.parameters("name"))
            : HttpAnswer.notFound());
  }

  private static ByteString zeros(Int64Value size) {
    return BytesValue.of(ByteString.copyFrom(new byte[(int) size.getValue()])).toByteString();
  }

  private static <Q extends MessageLite> MethodDescriptor<Q, BytesValue> method(
      String name, MethodType type, Q example) {
    return MethodDescriptor.<Q, BytesValue>newBuilder()
        .setFullMethodName("probe.Probe/" + name)
        .setType(type)
        .setRequestMarshaller(ProtoLiteUtils.marshaller(example))
        .setResponseMarshaller(ProtoLiteUtils.marshaller(BytesValue.getDefaultInstance()))
        .build();
  }

  /** Sends 16 KiB messages for as long as the transport takes them. */
  private final class Flood extends ServerCall.Listener<Request> {
    private final ServerCall<Request, Spliced> call;
    private final Spliced message = Spliced.of(zeros(Int64Value.of(16 * 1024)));

    Flood(ServerCall<Request, Spliced> call) {
      this.call = call;
      call.sendHeaders(new Metadata());
    }

    @Override
    public void onReady() {
      while (call.isReady()) {
        call.sendMessage(message);
        floodBytes.addAndGet(message.size());
      }
    }
  }
}
