package io.tidemark.server.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.netty.util.internal.PlatformDependent;
import io.tidemark.server.edge.ProbeServer.Wire;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
@ParameterizedClass
@EnumSource
final class GrpcProbeTest {
  private final Wire wire;
  private ProbeServer server;
  private ManagedChannel channel;

  GrpcProbeTest(Wire wire) {
    this.wire = wire;
  }

  @BeforeEach
  void open() throws Exception {
    server = ProbeServer.open(wire);
    channel = server.client().build();
  }

  @AfterEach
  void close() {
    channel.shutdownNow();
    server.close();
  }

  /** Patient: the JDK encrypts slowly until its compiler has caught up. */
  private <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
    return ClientCalls.blockingUnaryCall(
        channel, method, CallOptions.DEFAULT.withDeadlineAfter(50, TimeUnit.SECONDS), request);
  }

  private static BytesValue bytes(int size) {
    return BytesValue.of(ByteString.copyFrom(new byte[size]));
  }

  @Test
  void unaryCallIsAnswered() {
    BytesValue request = BytesValue.of(ByteString.copyFromUtf8("abc"));
    assertEquals(request, call(ProbeServer.ECHO, request));
  }

  @Test
  void statusTextArrivesLetterByLetter() {
    for (String text :
        List.of(
            "etcdserver: mvcc: required revision has been compacted",
            "100 % of \"it\" + a/b:c, ;=",
            "zwei Zeilen\nzwei\r\tTab",
            "höhere Zeichen: \u65e5\u672c\u8a9e \ud83d\ude80")) {
      StatusRuntimeException e =
          assertThrows(
              StatusRuntimeException.class, () -> call(ProbeServer.FAIL, StringValue.of(text)));
      assertEquals(Status.Code.FAILED_PRECONDITION, e.getStatus().getCode());
      assertEquals(text, e.getStatus().getDescription());
    }
  }

  @Test
  void unknownMethodIsUnimplemented() {
    MethodDescriptor<BytesValue, BytesValue> unknown =
        ProbeServer.ECHO.toBuilder().setFullMethodName("probe.Probe/Nothing").build();
    StatusRuntimeException e =
        assertThrows(StatusRuntimeException.class, () -> call(unknown, bytes(1)));
    assertEquals(Status.Code.UNIMPLEMENTED, e.getStatus().getCode());
  }

  @Test
  void oversizeRequestIsRefusedInEtcdsWords() {
    BytesValue request = bytes(ProbeServer.MESSAGE_BYTES_MAX);
    StatusRuntimeException e =
        assertThrows(StatusRuntimeException.class, () -> call(ProbeServer.ECHO, request));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, e.getStatus().getCode());
    assertEquals(
        "grpc: received message larger than max ("
            + request.getSerializedSize()
            + " vs. "
            + ProbeServer.MESSAGE_BYTES_MAX
            + ")",
        e.getStatus().getDescription());
    assertEquals(bytes(3), call(ProbeServer.ECHO, bytes(3)));
  }

  @Test
  void hugeRequestIsRefused() {
    StatusRuntimeException e =
        assertThrows(
            StatusRuntimeException.class,
            () -> call(ProbeServer.ECHO, bytes(5 * ProbeServer.MESSAGE_BYTES_MAX)));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, e.getStatus().getCode());
  }

  @Test
  void replyOf64MegabytesArrives() {
    int size = 64 * 1024 * 1024;
    assertEquals(size, call(ProbeServer.BIG, Int64Value.of(size)).getValue().size());
  }

  /** On a busy machine a call may be over before it has left the client; then another is made. */
  @Test
  void deadlineEndsTheCallOnBothSides() throws Exception {
    Reply reply = null;
    while (reply == null) {
      StatusRuntimeException e =
          assertThrows(
              StatusRuntimeException.class,
              () ->
                  ClientCalls.blockingUnaryCall(
                      channel,
                      ProbeServer.NEVER,
                      CallOptions.DEFAULT.withDeadlineAfter(200, TimeUnit.MILLISECONDS),
                      bytes(1)));
      assertEquals(Status.Code.DEADLINE_EXCEEDED, e.getStatus().getCode());
      reply = server.unanswered.poll();
    }
    awaitOver(reply);
  }

  @Test
  void clientResetFreesTheCallAtOnce() throws Exception {
    ClientCall<BytesValue, BytesValue> call =
        channel.newCall(ProbeServer.NEVER, CallOptions.DEFAULT);
    call.start(new Collector(), new Metadata());
    call.sendMessage(bytes(1));
    call.halfClose();
    Reply reply = server.unanswered.take();
    assertFalse(reply.isOver());
    call.cancel("probe", null);
    awaitOver(reply);
  }

  @Test
  void thousandQuickCancelsLeaveTheConnectionUsable() throws Exception {
    for (int i = 0; i < 1000; i++) {
      ClientCall<BytesValue, BytesValue> call =
          channel.newCall(ProbeServer.NEVER, CallOptions.DEFAULT);
      call.start(new Collector(), new Metadata());
      call.sendMessage(bytes(1));
      call.halfClose();
      Reply reply = server.unanswered.take();
      call.cancel("probe", null);
      awaitOver(reply);
    }
    assertEquals(bytes(3), call(ProbeServer.ECHO, bytes(3)));
    assertEquals(1, server.edge.connectionCount());
  }

  @Test
  void halfClosedStreamGoesOnUntilItIsCancelled() throws Exception {
    ClientCall<BytesValue, BytesValue> call =
        channel.newCall(ProbeServer.ECHO_STREAM, CallOptions.DEFAULT);
    Collector collector = new Collector();
    call.start(collector, new Metadata());
    call.request(10);
    call.sendMessage(bytes(1));
    assertEquals(bytes(1), collector.messages.take());
    call.halfClose();
    ProbeServer.OpenStream stream = server.streams.take();
    stream.halfClosed.get(5, TimeUnit.SECONDS);
    stream.call.sendMessage(Spliced.of(bytes(7).toByteString()));
    assertEquals(bytes(7), collector.messages.take());
    assertFalse(stream.cancelled.isDone());
    call.cancel("probe", null);
    stream.cancelled.get(1, TimeUnit.SECONDS);
  }

  @Test
  void droppedConnectionCancelsItsStreams() throws Exception {
    ClientCall<BytesValue, BytesValue> call =
        channel.newCall(ProbeServer.ECHO_STREAM, CallOptions.DEFAULT);
    call.start(new Collector(), new Metadata());
    call.sendMessage(bytes(1));
    ProbeServer.OpenStream stream = server.streams.take();
    channel.shutdownNow();
    stream.cancelled.get(1, TimeUnit.SECONDS);
  }

  @Test
  void thousandStalledStreamsHoldLittleMemory() throws Exception {
    int count = 1000;
    List<ManagedChannel> channels = new ArrayList<>();
    List<ClientCall<BytesValue, BytesValue>> calls = new ArrayList<>();
    long directBefore = PlatformDependent.usedDirectMemory();
    long heapBefore = heapBytes();
    for (int i = 0; i < count; i++) {
      if (i % 100 == 0) {
        // a fixed window: an adaptive one would let the client itself take megabytes per stream
        channels.add(server.client().flowControlWindow(64 * 1024).build());
      }
      ClientCall<BytesValue, BytesValue> call =
          channels.get(i / 100).newCall(ProbeServer.FLOOD, CallOptions.DEFAULT);
      Collector collector = new Collector();
      call.start(collector, new Metadata());
      call.sendMessage(bytes(1));
      // headers only: no message is ever asked for
      collector.headers.get(20, TimeUnit.SECONDS);
      calls.add(call);
    }
    assertEquals(bytes(3), call(ProbeServer.ECHO, bytes(3)));
    // per stream: 64 KiB in the client's window, 48 KiB waiting in the server
    assertTrue(
        server.floodBytes.get() < count * 200L * 1024, () -> "sent " + server.floodBytes.get());
    long direct = PlatformDependent.usedDirectMemory() - directBefore;
    assertTrue(direct < 256L * 1024 * 1024, () -> "direct bytes " + direct);
    // client and server together
    long heap = heapBytes() - heapBefore;
    assertTrue(heap < 256L * 1024 * 1024, () -> "heap bytes " + heap);
    calls.forEach(call -> call.cancel("probe", null));
    channels.forEach(ManagedChannel::shutdownNow);
  }

  /** What is live after a collection. */
  private static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static void awaitOver(Reply reply) throws Exception {
    CompletableFuture<Void> over = new CompletableFuture<>();
    reply.whenOver(() -> over.complete(null));
    over.get(1, TimeUnit.SECONDS);
  }

  /** Keeps what the client receives. */
  private static final class Collector extends ClientCall.Listener<BytesValue> {
    final BlockingQueue<BytesValue> messages = new LinkedBlockingQueue<>();
    final CompletableFuture<Metadata> headers = new CompletableFuture<>();
    final CompletableFuture<Status> end = new CompletableFuture<>();

    @Override
    public void onHeaders(Metadata received) {
      headers.complete(received);
    }

    @Override
    public void onMessage(BytesValue message) {
      messages.add(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }
  }
}
