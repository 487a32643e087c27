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
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.lite.ProtoLiteUtils;
import io.tidemark.server.http.HttpAnswer;
import io.tidemark.server.http.HttpQuestion;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Request;
import io.tidemark.server.rpc.Spliced;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
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

  /** Calls to NEVER in order of arrival. */
  final BlockingQueue<Reply> unanswered = new LinkedBlockingQueue<>();

  /** Open ECHO_STREAM calls. */
  final BlockingQueue<OpenStream> streams = new LinkedBlockingQueue<>();

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

  private ProbeServer(EdgeSettings settings) throws IOException {
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
    edge = Edge.open(settings, methods, ProbeServer::page);
  }

  static ProbeServer plain() throws IOException {
    return new ProbeServer(settings("http://127.0.0.1:0", null));
  }

  static ProbeServer tls(TlsFiles files) throws IOException {
    return new ProbeServer(settings("https://127.0.0.1:0", files));
  }

  private static EdgeSettings settings(String url, @Nullable TlsFiles tls) {
    return new EdgeSettings(
        "probe",
        List.of(URI.create(url)),
        tls,
        MESSAGE_BYTES_MAX,
        Integer.MAX_VALUE,
        new EdgeSettings.Keepalive(
            Duration.ofMillis(50), Duration.ofHours(2), Duration.ofSeconds(20)),
        EdgeSettings.Timings.defaults());
  }

  int port() {
    return edge.ports().get(0);
  }

  NettyChannelBuilder client() {
    return NettyChannelBuilder.forAddress("127.0.0.1", port())
        .usePlaintext()
        .maxInboundMessageSize(Integer.MAX_VALUE);
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

  private static CompletionStage<HttpAnswer> page(HttpQuestion question) {
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
