package io.tidemark.server.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.SnapshotResponse;
import io.tidemark.server.http.HttpAnswer;
import io.tidemark.server.http.HttpCaller;
import io.tidemark.server.http.HttpFlow;
import io.tidemark.server.rpc.CallLoop;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Request;
import io.tidemark.server.rpc.Spliced;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GatewayCallTest {
  private static final int CHUNK = 10_000;
  private static final int ENOUGH = 64 * 1024;

  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
  private final HttpCaller caller =
      new HttpCaller(Attributes.newBuilder().set(CallLoop.KEY, loop).build());

  /** Sends chunks whenever it may. */
  private static final class Flood extends ServerCall.Listener<Request> {
    private final ServerCall<Request, Spliced> call;
    private int sent;
    private boolean completed;
    private boolean cancelled;

    Flood(ServerCall<Request, Spliced> call) {
      this.call = call;
    }

    @Override
    public void onReady() {
      while (call.isReady()) {
        sent++;
        call.sendMessage(
            Spliced.of(
                SnapshotResponse.newBuilder()
                    .setBlob(ByteString.copyFrom(new byte[CHUNK]))
                    .build()
                    .toByteString()));
      }
    }

    @Override
    public void onCancel() {
      cancelled = true;
    }

    @Override
    public void onComplete() {
      completed = true;
    }
  }

  /** A client that reads only when told. */
  private static final class SlowClient implements HttpFlow.Sink {
    private final List<ByteString> parts = new ArrayList<>();
    private final List<Runnable> unwritten = new ArrayList<>();
    private boolean ended;

    @Override
    public void write(ByteString part, Runnable written) {
      parts.add(part);
      unwritten.add(written);
    }

    @Override
    public void end() {
      ended = true;
    }

    void readAll() {
      List<Runnable> all = List.copyOf(unwritten);
      unwritten.clear();
      all.forEach(Runnable::run);
    }

    long bytes() {
      return parts.stream().mapToLong(ByteString::size).sum();
    }
  }

  private GatewayCall call;
  private Flood flood;

  @BeforeEach
  void start() throws Exception {
    CompletableFuture<Flood> handler = new CompletableFuture<>();
    Methods methods =
        new Methods(1000)
            .addStream(
                MaintenanceGrpc.getSnapshotMethod(),
                (opened, headers) -> {
                  Flood made = new Flood(opened);
                  handler.complete(made);
                  return made;
                });
    Route route = Route.to(MaintenanceGrpc.getSnapshotMethod());
    var method = Objects.requireNonNull(methods.find(route.method()));
    call =
        new GatewayCall(
            route,
            method.getMethodDescriptor(),
            caller,
            new Requests(route, ByteString.EMPTY, 1000),
            Runnable::run);
    onLoop(() -> call.start(method.getServerCallHandler(), new Metadata(), CallHeaders.NO_TIMEOUT));
    flood = handler.get(10, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() {
    loop.shutdownNow();
  }

  /** Runs on the loop, and then what that had put there. */
  private void onLoop(Runnable task) throws Exception {
    loop.submit(task).get(10, TimeUnit.SECONDS);
    loop.submit(() -> {}).get(10, TimeUnit.SECONDS);
  }

  @Test
  void clientThatReadsNothingBoundsWhatWaits() throws Exception {
    HttpAnswer answer = call.answer().get(10, TimeUnit.SECONDS);
    assertEquals(200, answer.status());
    SlowClient client = new SlowClient();
    int first = flood.sent;
    onLoop(() -> Objects.requireNonNull(answer.flow()).start(client));
    assertEquals(first, flood.sent);
    assertEquals(first, client.parts.size());
    // up to the limit, and one message; base64 makes a third more of it
    assertTrue(client.bytes() < ENOUGH * 3 / 2, () -> "" + client.bytes());
    onLoop(client::readAll);
    assertTrue(flood.sent > first);
    assertTrue(flood.sent <= 2 * first, () -> "" + flood.sent);
  }

  @Test
  void streamThatFailsTellsSoInItsLastLine() throws Exception {
    HttpAnswer answer = call.answer().get(10, TimeUnit.SECONDS);
    SlowClient client = new SlowClient();
    onLoop(() -> Objects.requireNonNull(answer.flow()).start(client));
    onLoop(() -> flood.call.close(Status.UNAVAILABLE.withDescription("gone"), new Metadata()));
    assertTrue(client.ended);
    assertEquals(
        "{\"error\":{\"grpc_code\":14,\"http_code\":503,\"code\":14,\"message\":\"gone\"}}\n",
        client.parts.get(client.parts.size() - 1).toStringUtf8());
    assertFalse(flood.completed);
    onLoop(caller::markOver);
    assertTrue(flood.completed);
    assertFalse(flood.cancelled);
  }

  @Test
  void clientThatGoesAwayCancels() throws Exception {
    onLoop(caller::markGone);
    assertTrue(flood.cancelled);
    assertTrue(flood.call.isCancelled());
    assertFalse(flood.call.isReady());
    onLoop(caller::markOver);
    assertFalse(flood.completed);
  }
}
